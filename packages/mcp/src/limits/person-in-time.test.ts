import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, test } from "vitest";
import { gateTransport, guardClient } from "../client/index.ts";
import { createGate } from "../gate/index.ts";
import { createUpstream } from "../http/upstream.ts";
import { withContract } from "../in-process/index.ts";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";
import { INFO } from "../testing/test-servers.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  await closePairs();
});

const limits = { toolTimeout: 400, logger: false } as const;
const textOf = (text: string): object => ({ content: [{ type: "text", text }] });

/** Tools that ask a person, ask the client's model, and never answer. */
function createAsking(): Server {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  const tools = ["elicits", "samples", "hangs"].map((name) => ({
    name,
    inputSchema: { type: "object" as const },
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name } }, extra) => {
    if (name === "hangs") await once(extra.signal, "abort");
    const related = { relatedRequestId: extra.requestId };
    const requestedSchema = { type: "object" as const, properties: {} };
    const answer =
      name === "elicits"
        ? await server.elicitInput({ message: "?", requestedSchema }, related)
        : await server.createMessage({ messages: [], maxTokens: 1 }, related);
    return textOf(JSON.stringify(answer));
  });
  return server;
}

/** A client whose person and model answer when the test says so. */
function createAnswering() {
  const [asked, answered] = [new AbortController(), new AbortController()];
  const isAsked = once(asked.signal, "abort");
  const isAnswered = once(answered.signal, "abort");
  const client = new Client(INFO, { capabilities: { elicitation: {}, sampling: {} } });
  const wait = async (): Promise<void> => {
    asked.abort();
    await isAnswered;
  };
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await wait();
    return { action: "accept", content: { sure: true } };
  });
  client.setRequestHandler(CreateMessageRequestSchema, async () => {
    await wait();
    return { model: "m", role: "assistant", content: { type: "text", text: "sure" } };
  });
  closing.push(async () => client.close());
  return { client, asked: isAsked, answer: () => answered.abort() };
}

async function connect(server: Server, client: Client, near: Transport, far: Transport) {
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

/** Puts the limit between the two in each way there is. */
const HOSTS: Readonly<Record<string, (client: Client) => Promise<Client>>> = {
  async withContract(client) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    return connect(withContract(createAsking(), limits), client, near, far);
  },
  async "withContract with a key for each call"(client) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    let key = 0;
    const attemptKey = (): string => `k-${(key += 1)}`;
    return connect(withContract(createAsking(), { ...limits, attemptKey }), client, near, far);
  },
  async gateTransport(client) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    return connect(createAsking(), client, gateTransport(near, createGate(limits)), far);
  },
  async guardClient(client) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await connect(createAsking(), client, near, far);
    return guardClient(client, { server: "s", toolTimeout: limits.toolTimeout });
  },
  async "the proxy over HTTP"(client) {
    const far = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "a-session" });
    await createAsking().connect(far);
    const http = createServer((request, response) => void far.handleRequest(request, response));
    await once(http.listen(0, "127.0.0.1"), "listening");
    closing.push(
      () => http.closeAllConnections(),
      () => http.close(),
    );
    const { port } = http.address() as AddressInfo;
    const upstream = createUpstream(new URL(`http://127.0.0.1:${port}/mcp`));
    const proxy = await startOn(upstream.url, { gate: createGate(limits), upstream });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${proxy.port}/mcp`)),
    );
    return client;
  },
};

describe.each(Object.keys(HOSTS))("%s: the limit is for the tool", (host) => {
  test.each(["elicits", "samples"])("and stands while it %s", async (name) => {
    const { client, asked, answer } = createAnswering();
    const guarded = await HOSTS[host]?.(client);
    const call = guarded?.callTool({ name, arguments: {} });
    await asked;
    // A call of the same limit, whose time is over before the person has answered.
    const silent = await guarded?.callTool({ name: "hangs", arguments: {} });
    expect(silent).toMatchObject(textOf("(tool failed: timeout)"));
    answer();
    expect(JSON.stringify(await call)).toContain("sure");
  });
});

test("the proxy over stdio: the limit stands while a person is asked, and progress starts it anew", async () => {
  const onCall = `
    const { name, arguments: { a, b }, _meta = {} } = m.params;
    if (a === 1) { globalThis.asking = m; write('{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}'); }
    if (a === 3) for (let i = 1; i <= 6; i += 1) setTimeout(() => i === 6
      ? reply(m, { content: [{ type: "text", text: "copied" }] })
      : write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: _meta.progressToken, progress: i } })), i * 150);`;
  const answers = `process.stdin.on("data", (chunk) => {
    if (chunk.includes('"sure"')) setImmediate(() => reply(globalThis.asking, { content: [{ type: "text", text: "sure" }] }));
  });`;
  const proxy = runProxy(["--tool-timeout", "400ms", ...script(addServer({ onCall }) + answers)]);
  const add = (id: number, a: number, meta = {}): object => {
    const call = toolCall(id, "add", { a, b: 0 }) as { readonly params: object };
    return { ...call, params: { ...call.params, _meta: meta } };
  };
  proxy.send(...HELLO, add(1, 1));
  await proxy.line((line) => line.includes("elicitation/create"));
  proxy.send(add(2, 2), add(3, 3, { progressToken: "t" }));
  expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("(tool failed: timeout)");
  proxy.send({ jsonrpc: "2.0", id: "q", result: { action: "accept", content: { sure: true } } });
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("sure");
  expect((await proxy.answer(3)).result?.content?.[0]?.text).toBe("copied");
});
