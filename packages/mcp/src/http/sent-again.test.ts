import type { ServerResponse } from "node:http";
import { createContract } from "@toolcontract/core";
import { createGuardrails, type Effect, memoryLedger } from "@toolcontract/guardrails";
import { afterEach, describe, expect, test } from "vitest";
import { closePairs, type HttpPair, sendJson, startPair } from "../testing/http-proxy.ts";
import { textOf, toolCall } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";

afterEach(closePairs);

const ORDER = { name: "order", inputSchema: { type: "object" } };
const BUDGET = 1_000;

type Answer = (
  response: ServerResponse,
  call: { readonly id: unknown; readonly run: number },
) => void;

const done: Answer = (response, { id, run }) =>
  sendJson(response, {
    jsonrpc: "2.0",
    id,
    result: { content: [{ type: "text", text: `order ${run}` }], structuredContent: { run } },
  });
const lose: Answer = (response) => void response.writeHead(504).end("upstream request timeout");

/** A shop that numbers its orders, behind a proxy that guards them. */
async function shop(answer: Answer, effect: Effect = "irreversible") {
  let runs = 0;
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { order: effect },
    ...(effect !== "none" && {
      limits: { budget: { max: BUDGET, scope: "user" } },
      spends: { order: () => ({ budget: 10 }) },
      ledger: memoryLedger(),
    }),
  });
  const contract = createContract({ logger: () => undefined, guardrails });
  const pair = await startPair(
    ({ message: { id, method } }, response) => {
      if (method === "tools/list") {
        sendJson(response, { jsonrpc: "2.0", id, result: { tools: [ORDER] } });
      } else if (method === "tools/call") {
        runs += 1;
        answer(response, { id, run: runs });
      } else response.writeHead(405).end();
    },
    {},
    { contract, context: { user: "ana" } },
  );
  return { pair, runs: () => runs, guardrails };
}

let ids = 0;

interface Sent {
  readonly key?: unknown;
  readonly args?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function keyed(id: number, { key, args = {} }: Sent): Message {
  const call = toolCall(id, "order", args);
  const _meta = { "dev.toolcontract/idempotencyKey": key };
  return { ...call, params: { ...(call["params"] as Message), _meta } };
}

/** Sends a call as a client that gives each request an id of its own. */
async function order({ post }: HttpPair, sent: Sent): Promise<Message> {
  ids += 1;
  const id = ids;
  const response = await post(keyed(id, sent), sent.headers);
  const answer = (await response.json()) as Message;
  expect(answer["id"]).toBe(id);
  return answer;
}

const SESSION = { "mcp-session-id": "s1" };
const ANA = { authorization: "Bearer ana" };
const TRACED = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` };
const TRACED_ANEW = { traceparent: `00-${"3".repeat(32)}-${"2".repeat(16)}-01` };

describe("a call that is sent again under its key is the same call", () => {
  test.each<[where: string, first: Sent, again: Sent]>([
    ["without a session", {}, {}],
    ["in a session", { headers: SESSION }, { headers: SESSION }],
    ["in another trace", { headers: TRACED }, { headers: TRACED_ANEW }],
    [
      "in the next session of a client with credentials",
      { headers: { ...ANA, ...SESSION } },
      { headers: { ...ANA, "mcp-session-id": "s2" } },
    ],
  ])("%s", async (_, first, again) => {
    const { pair, runs } = await shop(done);
    const { id: _one, ...answer } = await order(pair, { key: "k", ...first });
    const { id: _two, ...same } = await order(pair, { key: "k", ...again });
    expect(same).toEqual(answer);
    expect(answer).toMatchObject({ result: { structuredContent: { run: 1 } } });
    expect(runs()).toBe(1);
  });

  test.each<Effect>(["irreversible", "idempotent", "compensable", "state"])(
    "of a tool whose effect is %s: its answer is lost, it ran once, and spent once",
    async (effect) => {
      const { pair, runs, guardrails } = await shop(lose, effect);
      const { id: _one, ...answer } = await order(pair, { key: "k" });
      const { id: _two, ...same } = await order(pair, { key: "k" });
      expect(same).toEqual(answer);
      expect(textOf(answer)).toMatch(/nobody knows what it has done|it may have run/);
      expect(runs()).toBe(1);
      const usage = await guardrails.usage("budget", { context: { user: "ana" } });
      expect(usage.spent + usage.inDoubt).toBe(10);
    },
  );

  test("both at once", async () => {
    const { pair, runs } = await shop((response, call) => setTimeout(done, 50, response, call));
    const both = await Promise.all([order(pair, { key: "k" }), order(pair, { key: "k" })]);
    expect(both.map(textOf)).toEqual(["order 1", "order 1"]);
    expect(runs()).toBe(1);
  });

  test("a failure of the server is answered again", async () => {
    const error = { code: -32_000, message: "out of order" };
    const { pair, runs } = await shop(
      (response, { id }) => sendJson(response, { jsonrpc: "2.0", id, error }),
      "idempotent",
    );
    for (let call = 0; call < 2; call += 1) {
      expect(textOf(await order(pair, { key: "k" }))).toContain("out of order");
    }
    expect(runs()).toBe(1);
  });

  test("a client that has gone away reads that nobody knows what came of it", async () => {
    const { pair, runs } = await shop(() => undefined);
    const gone = new AbortController();
    const first = fetch(pair.url, {
      method: "POST",
      body: JSON.stringify(keyed(1, { key: "k" })),
      headers: { "content-type": "application/json", accept: "application/json" },
      signal: gone.signal,
    }).catch(() => undefined);
    await expect.poll(runs).toBe(1);
    gone.abort();
    await first;
    expect(textOf(await order(pair, { key: "k" }))).toContain("(GRD-006)");
    expect(runs()).toBe(1);
  });

  test("one that was not made is made when it is sent again", async () => {
    const { pair, runs } = await shop((response, call) => {
      if (call.run === 1) response.writeHead(429, { "retry-after": "1" }).end("slow down");
      else done(response, call);
    });
    await pair.post(keyed(1, { key: "k" }));
    expect(textOf(await order(pair, { key: "k" }))).toBe("order 2");
    expect(runs()).toBe(2);
  });
});

describe("another call", () => {
  test.each<[what: string, first: Sent, second: Sent]>([
    ["no key", {}, {}],
    ["another key", { key: "k" }, { key: "l" }],
    ["a key and none", { key: "k" }, {}],
    ["other arguments", { key: "k", args: { sku: 1 } }, { key: "k", args: { sku: 2 } }],
    ["an empty key", { key: "" }, { key: "" }],
    ["what is not a string", { key: 7 }, { key: 7 }],
    ["another user's", { key: "k", headers: ANA }, { key: "k", headers: { authorization: "Bob" } }],
    [
      "another session of a client without credentials",
      { key: "k", headers: SESSION },
      { key: "k", headers: { "mcp-session-id": "s2" } },
    ],
  ])("%s", async (_, first, second) => {
    const { pair, runs } = await shop(done);
    await order(pair, first);
    expect(textOf(await order(pair, second))).toBe("order 2");
    expect(runs()).toBe(2);
  });

  test("a tool without an effect may run again", async () => {
    const { pair, runs } = await shop(done, "none");
    for (let call = 0; call < 2; call += 1) await order(pair, { key: "k" });
    expect(runs()).toBe(2);
  });
});
