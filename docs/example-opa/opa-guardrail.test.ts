import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

import { createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { opaGuardrail } from "./opa-guardrail.ts";

let server: Server;
let asked: unknown[];
let decide: (input: { readonly args: { readonly amount: number } }) => unknown;

/** OPA's data API: `POST /v1/data/<path>` with the input answers with the result, without one if nothing is defined. */
beforeEach(async () => {
  asked = [];
  decide = ({ args }) =>
    args.amount <= 500
      ? { allow: true }
      : {
          allow: false,
          violations: [
            { message: "refund is too large", fieldPath: "/amount", hint: "refund at most 500" },
          ],
        };
  server = createServer((request, response) => {
    void json(request).then((body) => {
      asked.push([request.method, request.url, body]);
      const { input } = body as { readonly input: Parameters<typeof decide>[0] };
      const result = decide(input);
      response.writeHead(result === "fails" ? 500 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ decision_id: "1", result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function host(): (amount: number) => Promise<string> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const guardrails = createGuardrails({
    guardrails: [opaGuardrail({ url, decision: "shop/refunds", tools: ["refund"] })],
    effects: { refund: "idempotent" },
  });
  const contract = createContract({ guardrails, logger: false });
  const tool = { name: "refund", inputSchema: { properties: { amount: { type: "integer" } } } };
  let serial = 0;
  return async (amount) => {
    serial += 1;
    const call = { id: `call_${serial}`, name: "refund", arguments: { amount } };
    const context = { tool, conversationId: "thread-7", turnId: `${serial}` };
    const handled = await contract.handle(call, { ...context, execute: () => "refunded" });
    return `${handled.status}: ${handled.result.content}`;
  };
}

describe("a guardrail that asks an OPA server", () => {
  test("lets an allowed call run, and sends the call as input", async () => {
    expect(await host()(500)).toBe("executed: refunded");
    expect(asked).toEqual([
      [
        "POST",
        "/v1/data/shop/refunds",
        { input: { tool: "refund", args: { amount: 500 }, attempt: 1 } },
      ],
    ]);
  });

  test("hands the policy's violations to the model", async () => {
    const answer = await host()(501);
    expect(answer).toMatch(/^rejected: /);
    expect(answer).toContain("/amount (GRD-001): refund is too large");
    expect(answer).toContain("Hint: refund at most 500");
  });

  test.each<readonly [string, unknown]>([
    ["denies without a word", { allow: false }],
    ["defines nothing", undefined],
    ["answers nonsense", { allow: "yes" }],
  ])("closes the tool if the policy %s", async (_, result) => {
    decide = () => result;
    const answer = await host()(1);
    expect(answer).toMatch(/^blocked: /);
    expect(answer).toContain("(GRD-003): no policy allows this call");
  });

  test("fails closed if the server fails, and repeats nothing of it", async () => {
    decide = () => "fails";
    const answer = await host()(1);
    expect(answer).toMatch(/^blocked: /);
    expect(answer).toContain("(GRD-004): A guardrail could not be checked");
    expect(answer).not.toContain("500");
  });

  test("fails closed if there is no server", async () => {
    const call = host();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await call(1)).toMatch(/^blocked: [^]*GRD-004/);
  });
});
