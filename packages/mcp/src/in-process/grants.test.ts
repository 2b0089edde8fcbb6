import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describeGrants } from "@toolcontract/case-table/grants";
import { describeReplays } from "@toolcontract/case-table/replays";
import { createGuardrails } from "@toolcontract/guardrails";
import { expect, test } from "vitest";
import { gateTransport } from "../client/index.ts";
import { createGate, type GateOptions } from "../gate/index.ts";
import {
  type Between,
  callOnce,
  type Elicited,
  payingKit,
  payingParts,
} from "../testing/paying.ts";
import { replayingKit } from "../testing/replaying.ts";
import { withContract } from "./with-contract.ts";

const inProcess: Between = async ({ server, client }, options, conversationId) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const guarded = withContract(server, { ...options, attemptKey: () => conversationId });
  await Promise.all([guarded.connect(far), client.connect(near)]);
};

describeGrants("an MCP server", payingKit(inProcess));
describeReplays("an MCP server", replayingKit(inProcess));

const guardrails = createGuardrails({
  guardrails: [{ name: "large", check: () => ({ ask: "it is large" }) }],
});
const options: GateOptions = {
  guardrails,
  logger: false,
  grant: (request) => guardrails.grant(request, { by: "client", expiresIn: 1_000 }),
};
const yes: Elicited = { action: "accept", content: { agree: true } };

/** One call, and the questions that the client was asked. */
async function paid(
  answer: ((message: string) => Elicited) | undefined,
  given: GateOptions = options,
  args: Readonly<Record<string, unknown>> = { amount: 500 },
): Promise<string> {
  const parts = payingParts(() => "paid", answer);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([withContract(parts.server, given).connect(far), parts.client.connect(near)]);
  const text = await callOnce(parts, "pay", args);
  await parts.client.close();
  return text;
}

test("the person reads why and with which arguments", async () => {
  const asked: string[] = [];
  const text = await paid((message) => {
    asked.push(message);
    return yes;
  });
  expect(text).toBe("paid");
  expect(asked).toEqual([
    `Tool 'pay' has not run: a person must agree first.

\u2022 it is large

Arguments: {
  "amount": 500
}`,
  ]);
});

test.each<[string, Parameters<typeof paid>]>([
  ["they decline", [() => ({ action: "decline" })]],
  ["they cancel", [() => ({ action: "cancel" })]],
  ["they accept without agreeing", [() => ({ action: "accept", content: { agree: false } })]],
  ["nothing is in the answer", [() => ({ action: "accept" })]],
  ["the client cannot ask", [undefined]],
  ["there is no option for it", [() => yes, { guardrails, logger: false }]],
  ["nothing is granted", [() => yes, { ...options, grant: () => undefined }]],
  [
    "granting fails",
    [
      () => yes,
      {
        ...options,
        grant: () => {
          throw new Error("no");
        },
      },
    ],
  ],
  ["the arguments are too long to be read", [() => yes, options, { note: "x".repeat(4_000) }]],
])("nothing runs if %s", async (_, given) => {
  expect(await paid(...given)).toContain("a person must agree first");
});

test("a gate at the client asks its own person", async () => {
  const parts = payingParts(
    () => "paid",
    () => yes,
  );
  const [near, far] = InMemoryTransport.createLinkedPair();
  const gated = gateTransport(near, createGate(options));
  await Promise.all([parts.server.connect(far), parts.client.connect(gated)]);
  expect(await callOnce(parts, "pay", { amount: 500 })).toBe("paid");
  await parts.client.close();
});
