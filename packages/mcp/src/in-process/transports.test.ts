import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { CallToolResultSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createGuardrails } from "@toolcontract/guardrails";
import { afterEach, describe, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { toolCall } from "../testing/messages.ts";
import { INFO, lowLevelV1, type TestTool } from "../testing/test-servers.ts";
import type { Message } from "../wire/index.ts";
import { withContract } from "./with-contract.ts";

const silent = { logger: () => undefined, coalesceMs: 0 };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map(async (close) => close()));
});

function find(key: string, run: TestTool["run"] = () => ({ text: `found ${key}` })): TestTool {
  return {
    name: "find",
    inputSchema: { type: "object", properties: { [key]: { type: "integer" } }, required: [key] },
    run,
  };
}

const refusing: TestTool["run"] = () => ({ text: "Input validation error: …", isError: true });

interface Asker {
  readonly near: InMemoryTransport;
  readonly far: InMemoryTransport;
  readonly call: (name: string, args: object) => Promise<string>;
}

function pair(sessionId?: string): Asker {
  const [near, far] = InMemoryTransport.createLinkedPair();
  if (sessionId !== undefined) far.sessionId = sessionId;
  const client = new Client(INFO);
  closing.push(async () => client.close());
  let connected: Promise<void> | undefined;
  return {
    near,
    far,
    async call(name, args) {
      connected ??= client.connect(near);
      await connected;
      const result = CallToolResultSchema.parse(
        await client.callTool({ name, arguments: { ...args } }),
      );
      return result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    },
  };
}

/** A transport that implements `onmessage` as an accessor, as those over HTTP do; the test is its other end. */
function accessorTransport(): {
  readonly transport: InMemoryTransport;
  readonly deliver: (message: object) => void;
  readonly sent: object[];
} {
  const sent: object[] = [];
  let handler: ((message: object) => void) | undefined;
  class Wrapped extends InMemoryTransport {
    override async send(message: object): Promise<void> {
      sent.push(message);
    }
  }
  Object.defineProperty(Wrapped.prototype, "onmessage", {
    get: () => handler,
    set: (given: typeof handler) => {
      handler = given;
    },
  });
  return { transport: new Wrapped(), deliver: (message) => handler?.(message), sent };
}

test("a low-level server may take names that it does not list, unless its author says no", async () => {
  const hidden = { ...find("n"), name: "hidden" };
  const answerTo = async (options: object): Promise<string> => {
    const server = lowLevelV1([hidden]);
    const { far, call } = pair();
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
    await withContract(server, { ...silent, ...options }).connect(far);
    return call("hidden", { n: 1 });
  };
  expect(await answerTo({})).toBe("found n");
  expect(await answerTo({ soft: "reject" })).toContain("Unknown tool 'hidden'");
});

describe("conversations on one transport", () => {
  const attempts = async (
    options: object,
    metas: readonly object[],
  ): Promise<readonly string[]> => {
    const { transport, deliver, sent } = accessorTransport();
    const server = withContract(lowLevelV1([find("n", refusing)]), { ...silent, ...options });
    await server.connect(transport);
    deliver({ jsonrpc: "2.0", id: "hello", method: "ping" });
    for (const [id, _meta] of metas.entries()) {
      const params = { name: "find", arguments: { n: "one" }, _meta };
      deliver({ jsonrpc: "2.0", id, method: "tools/call", params });
      await expect.poll(() => sent).toHaveLength(id + 2);
    }
    await server.close();
    return sent.slice(1).map((message) => /attempt \d/.exec(JSON.stringify(message))?.[0] ?? "");
  };

  test.each(["enforce", "assist"])("are named call by call, in mode %s", async (mode) => {
    const attemptKey = ({ params }: Message): string =>
      (params as { readonly _meta: { readonly user: string } })._meta.user;
    const users = ["a", "b", "a"].map((user) => ({ user }));
    expect(await attempts({ attemptKey, mode }, users)).toEqual([
      "attempt 1",
      "attempt 1",
      "attempt 2",
    ]);
  });

  test("are traces, if there is no session", async () => {
    const traces = ["a", "b", "a"].map((digit) => ({
      traceparent: `00-${digit.repeat(32)}-${"1".repeat(16)}-01`,
    }));
    expect(await attempts({}, traces)).toEqual(["attempt 1", "attempt 1", "attempt 2"]);
  });
});

describe("one gate for many servers", () => {
  test("sessions may have servers with tools of their own", async () => {
    const gate = createGate(silent);
    const [one, other] = [pair("one"), pair("other")];
    await withContract(lowLevelV1([find("a")]), { gate }).connect(one.far);
    await withContract(lowLevelV1([find("b")]), { gate }).connect(other.far);
    expect(await one.call("find", { a: "x" })).toContain("/a (VAL-002)");
    expect(await other.call("find", { b: 1 })).toBe("found b");
  });
});

test("a transport that was refused, because another one was still connected, may connect later", async () => {
  const server = withContract(lowLevelV1([find("n", refusing)]), { ...silent, mode: "assist" });
  await server.connect(pair().far);
  const { transport, deliver, sent } = accessorTransport();
  await expect(server.connect(transport)).rejects.toThrow("Already connected");
  await server.close();
  await server.connect(transport);
  deliver(toolCall(1, "find", { n: "one" }));
  await expect.poll(() => sent).toHaveLength(1);
  expect(JSON.stringify(sent).match(/Validation failed/g)).toHaveLength(1);
  await server.close();
});

test("a call that is sent again under its key is the same call, in another connection too", async () => {
  let runs = 0;
  const order: TestTool = {
    name: "order",
    inputSchema: { type: "object" },
    run: () => ({ text: `order ${(runs += 1)}` }),
  };
  const guardrails = createGuardrails({ guardrails: [], effects: { order: "irreversible" } });
  const send = async (key: string): Promise<unknown> => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client(INFO);
    closing.push(async () => client.close());
    const server = withContract(lowLevelV1([order]), { ...silent, guardrails });
    await Promise.all([server.connect(far), client.connect(near)]);
    const _meta = { "dev.toolcontract/idempotencyKey": key };
    const { content } = await client.callTool({ name: "order", arguments: {}, _meta });
    return content;
  };
  const first = await send("k");
  expect(await send("k")).toEqual(first);
  expect(await send("l")).toEqual([{ type: "text", text: "order 2" }]);
});
