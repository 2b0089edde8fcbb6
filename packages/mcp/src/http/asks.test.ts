import type { ServerResponse } from "node:http";
import { createGuardrails } from "@toolcontract/guardrails";
import { afterEach, expect, test, vi } from "vitest";
import { closePairs, type HttpPair, type Seen, startPair } from "../testing/http-proxy.ts";

afterEach(closePairs);

const PAY = { name: "pay", inputSchema: { type: "object" } };
const QUESTION = "a person must agree first";

type Answer = (seen: Seen, response: ServerResponse) => void;

const paid: Answer = ({ message }, response) => {
  const content = [{ type: "text", text: "paid" }];
  const answer = { jsonrpc: "2.0", id: message["id"], result: { content } };
  response.writeHead(200, { "content-type": "application/json" });
  // As some servers write it.
  response.end(JSON.stringify(answer, undefined, 2));
};

/** A proxy that asks about amounts above 100, in front of a server that begins sessions. */
async function start(answer: Answer = paid, maxMessageBytes = 100_000): Promise<HttpPair> {
  const guardrails = createGuardrails({
    effects: { pay: "irreversible" },
    guardrails: [{ name: "large", check: ({ args }) => args.amount > 100 && { ask: "a lot" } }],
  });
  return startPair(
    (seen, response) => {
      const { method, id } = seen.message;
      if (method === "tools/call" || method === undefined) return answer(seen, response);
      const result = method === "tools/list" ? { tools: [PAY] } : {};
      response.writeHead(200, { "content-type": "application/json", "mcp-session-id": "s-1" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    },
    { maxMessageBytes },
    {
      guardrails,
      grant: (request) => guardrails.grant(request, { by: "client", expiresIn: 60_000 }),
    },
  );
}

async function initialize({ post }: HttpPair, capabilities: object): Promise<void> {
  await post({ jsonrpc: "2.0", id: 0, method: "initialize", params: { capabilities } });
}

const SESSION = { "mcp-session-id": "s-1" };
const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "pay", arguments: { amount: 500 } },
};

type Event = { readonly id: string; readonly [field: string]: unknown };

/** Reads the messages of a stream of events, one by one. */
async function* eventsOf({ body }: Response): AsyncGenerator<Event> {
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) yield JSON.parse(event.replace(/^event: message\ndata: /, ""));
  }
}

/** Calls in a session whose client can ask, and reads the question. */
async function ask(pair: HttpPair) {
  await initialize(pair, { elicitation: {} });
  const response = await pair.post(CALL, SESSION);
  const events = eventsOf(response);
  const question = (await events.next()).value as Event;
  expect(question).toMatchObject({
    method: "elicitation/create",
    params: {
      message: `Tool 'pay' has not run: ${QUESTION}.\n\n\u2022 a lot\n\nArguments: {\n  "amount": 500\n}`,
      requestedSchema: {
        type: "object",
        properties: {
          agree: {
            type: "boolean",
            title: "Run it once",
            description: "Run 'pay' once, with these arguments",
          },
        },
        required: ["agree"],
      },
    },
  });
  const agrees: unknown = { action: "accept", content: { agree: true } };
  const answer = (headers: Readonly<Record<string, string>> = SESSION, result = agrees) =>
    pair.post({ jsonrpc: "2.0", id: question.id, result }, headers);
  return {
    response,
    answer,
    last: async () => (await events.next()).value as Event,
    leave: async () => events.return(undefined),
  };
}

test("a call is asked about on its own stream, on which the answer of the server follows", async () => {
  const pair = await start();
  const { response, answer, last } = await ask(pair);
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(pair.count("tools/call")).toBe(0);
  expect((await answer()).status).toBe(202);
  expect(await last()).toMatchObject({ id: 1, result: { content: [{ text: "paid" }] } });
  // The server has seen the call, and nothing of the question.
  expect(pair.seen.map(({ message }) => message["method"])).toEqual([
    "initialize",
    "tools/list",
    "tools/call",
  ]);
});

test.each<[string, Answer, object]>([
  [
    "a stream of events",
    (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n');
    },
    { result: { content: [] } },
  ],
  [
    "no message",
    (_, response) => response.writeHead(503).end("<p>busy</p>"),
    { result: { isError: true, content: [{ text: expect.stringContaining("(GRD-006)") }] } },
  ],
  [
    "nothing",
    (_, response) => response.destroy(),
    { result: { isError: true, content: [{ text: expect.stringContaining("(GRD-006)") }] } },
  ],
  [
    "more than is read",
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const long = { jsonrpc: "2.0", id: 1, result: { content: [], long: "x".repeat(200_000) } };
      response.end(JSON.stringify(long, undefined, 2));
    },
    { result: { long: expect.stringMatching(/^x{200000}$/) } },
  ],
])("a server that answers with %s is heard after the question", async (_, serve, expected) => {
  const { answer, last } = await ask(await start(serve));
  await answer();
  expect(await last()).toMatchObject({ id: 1, ...expected });
});

test.each<[string, unknown]>([
  ["declines", { action: "decline", content: { agree: true } }],
  ["cancels", { action: "cancel" }],
  ["accepts without an answer", { action: "accept" }],
  ["accepts and does not agree", { action: "accept", content: { agree: false } }],
  ["answers with no object", "accept"],
])("a person who %s has run nothing", async (_, said) => {
  const pair = await start();
  const { answer, last } = await ask(pair);
  await answer(SESSION, said);
  const { result } = await last();
  expect(JSON.stringify(result)).toContain(QUESTION);
  expect(pair.count("tools/call")).toBe(0);
});

test("an answer from another session is the server's, and leaves the question open", async () => {
  const pair = await start();
  const { answer, last } = await ask(pair);
  await answer({ "mcp-session-id": "s-2" });
  expect(pair.count("tools/call")).toBe(0);
  expect(pair.seen.at(-1)?.message).toHaveProperty("result");
  await answer();
  expect(await last()).toHaveProperty("result");
});

test("a client that leaves while a person thinks has cancelled the call", async () => {
  const pair = await start();
  const { answer, leave } = await ask(pair);
  const seen = vi.spyOn(pair.gate, "fromClient");
  await leave();
  await expect.poll(() => seen.mock.lastCall?.[0]["method"]).toBe("notifications/cancelled");
  // The answer finds no question any more, and goes to the server.
  await answer();
  expect(pair.seen.at(-1)?.message).toHaveProperty("result");
  expect(pair.count("tools/call")).toBe(0);
});

test.each<[string, object, Readonly<Record<string, string>>]>([
  ["has not said that it can ask", {}, SESSION],
  ["asks by address alone", { elicitation: { url: {} } }, SESSION],
  ["has no session", { elicitation: {} }, {}],
  ["reads no events", { elicitation: {} }, { ...SESSION, accept: "application/json" }],
])("a client that %s is not asked, and nothing runs", async (_, capabilities, headers) => {
  const pair = await start();
  await initialize(pair, capabilities);
  const response = await pair.post(CALL, headers);
  expect(await response.text()).toContain(QUESTION);
  expect(pair.count("tools/call")).toBe(0);
});

const CAPABLE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const STATELESS = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "pay",
};

/** Calls without a session; `more` is what a client repeats the call with. */
async function callStateless({ post }: HttpPair, more: object = {}): Promise<Event> {
  const params = { ...CALL.params, _meta: CAPABLE, ...more };
  return (await post({ ...CALL, params }, STATELESS)).json() as Promise<Event>;
}

function agreeing(question: Event, change = (state: string): string => state): object {
  const { requestState } = question["result"] as { requestState: string };
  const accepted = { action: "accept", content: { agree: true } };
  return { requestState: change(requestState), inputResponses: { toolcontract: accepted } };
}

test("without a session, the question is the answer, and the server sees nothing of it", async () => {
  const pair = await start();
  const theirs = {
    requestState: "the server's own",
    inputResponses: { name: { action: "accept" } },
  };
  const question = await callStateless(pair, theirs);
  expect(question).toMatchObject({
    result: {
      resultType: "input_required",
      inputRequests: { toolcontract: { method: "elicitation/create" } },
    },
  });
  const ran = await callStateless(pair, agreeing(question));
  expect(ran).toMatchObject({ result: { content: [{ text: "paid" }] } });
  expect(pair.seen.at(-1)?.message["params"]).toEqual({
    ...CALL.params,
    _meta: CAPABLE,
    ...theirs,
  });
});

test("an answer that arrives again runs nothing", async () => {
  const pair = await start();
  const question = await callStateless(pair);
  for (let time = 0; time < 3; time += 1) await callStateless(pair, agreeing(question));
  expect(pair.count("tools/call")).toBe(1);
});

/** Changes what a client brings back. */
function edited(change: (carried: { request: Record<string, unknown> }) => void) {
  return (state: string): string => {
    const carried = JSON.parse(Buffer.from(state.split(".")[1] ?? "", "base64url").toString());
    change(carried);
    return `toolcontract.${Buffer.from(JSON.stringify(carried)).toString("base64url")}`;
  };
}

test.each<[string, (state: string) => string]>([
  ["is of another tool", edited(({ request }) => (request["tool"] = "refund"))],
  ["is of other arguments", edited(({ request }) => (request["digest"] = "another"))],
  ["has other reasons", edited(({ request }) => (request["reasons"] = []))],
  ["holds no request", edited((carried) => Object.assign(carried, { request: null }))],
  ["is not JSON", () => "toolcontract.AAAA"],
])("a state that %s is not an answer: the person is asked again", async (_, change) => {
  const pair = await start();
  const question = await callStateless(pair);
  const answer = await callStateless(pair, agreeing(question, change));
  expect(answer["result"]).toMatchObject({ resultType: "input_required" });
  expect(pair.count("tools/call")).toBe(0);
});

test("arguments that are too long to show are not asked about", async () => {
  const pair = await start();
  const long = { arguments: { amount: 500, note: "x".repeat(4_000) } };
  const answer = await callStateless(pair, long);
  expect(answer["result"]).toMatchObject({ resultType: "complete", isError: true });
  expect(pair.count("tools/call")).toBe(0);
});

test.each<[string, (state: string) => string]>([
  ["names another question", edited(({ request }) => (request["id"] = "another"))],
  ["has no seal", edited(({ request }) => delete request["seal"])],
])("a state that %s runs nothing", async (_, change) => {
  const pair = await start();
  const question = await callStateless(pair);
  await callStateless(pair, agreeing(question, change));
  expect(pair.count("tools/call")).toBe(0);
});
