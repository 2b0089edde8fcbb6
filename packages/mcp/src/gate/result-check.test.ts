import { describe, expect, test } from "vitest";
import { gatedServer, type Script, serverOf, textOf } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";
import type { GateOptions, GateSettings } from "./options.ts";

const count: Message = {
  name: "count",
  inputSchema: { type: "object" },
  outputSchema: {
    type: "object",
    required: ["total"],
    properties: { total: { type: "integer" }, token: { type: "string" } },
  },
};
const plain: Message = { name: "plain", inputSchema: { type: "object" } };

/** A server whose tools return a result, and what the log says. */
function returning(result: Message, options: GateSettings = {}) {
  const entries: unknown[][] = [];
  const reply: Script = ({ id }) => ({ jsonrpc: "2.0", id, result });
  const logger = (...entry: unknown[]): number => entries.push(entry);
  const server = gatedServer(serverOf([count, plain], reply), { logger, ...options });
  return { ...server, entries };
}

const odd = (more: Message = {}): Message => ({
  content: [{ type: "text", text: "three" }],
  structuredContent: { total: "three", ...more },
});

/** The first call reads the list: a valid call of a tool that is not known yet waits for nothing. */
async function listed(server: ReturnType<typeof returning>): Promise<void> {
  await server.request({ jsonrpc: "2.0", id: 0, method: "tools/list", params: {} });
}

describe("a result that does not fit its output schema", () => {
  test("is relayed as it came, logged and counted", async () => {
    const server = returning(odd({ token: "hunter2" }));
    await listed(server);
    const answer = await server.call("count", {});
    expect(answer?.["result"]).toEqual(odd({ token: "hunter2" }));
    expect(server.gate.invalidResults()).toEqual({ reported: 1, replaced: 0 });
    expect(server.entries).toContainEqual([
      {
        level: "warn",
        package: "mcp",
        tool_name: "count",
        error_count: 1,
        errors: [{ path: "/total", code: "VAL-002" }],
      },
      "Tool result does not fit its output schema",
    ]);
    expect(JSON.stringify(server.entries)).not.toContain("hunter2");
  });

  test("is an error of the tool with results: enforce, without structured content", async () => {
    const server = returning({ ...odd(), _meta: { a: 1 } }, { results: "enforce" });
    await listed(server);
    const answer = await server.call("count", {});
    expect(answer?.["result"]).toEqual({
      isError: true,
      content: [
        { type: "text", text: expect.stringContaining("/total (VAL-002)") },
        { type: "text", text: "three" },
      ],
      _meta: { a: 1 },
    });
    expect(textOf(answer)).toContain("server's fault");
    expect(server.gate.invalidResults()).toEqual({ reported: 0, replaced: 1 });
  });

  test.each<[string, Message, string]>([
    ["a hint", { structuredContent: { total: "3" } }, '/total (VAL-002): "3"; expected integer'],
    [
      "a list in place of an object",
      { structuredContent: [] },
      "/structuredContent (VAL-002): []; expected object with total",
    ],
    ["nothing", {}, "/structuredContent (VAL-001): missing"],
  ])("enforced names the result and its faults, without hints: %s", async (_, result, line) => {
    const content = [{ type: "image", data: "", mimeType: "image/png" }];
    const server = returning({ content, ...result }, { results: "enforce" });
    await listed(server);
    const answer = await server.call("count", {});
    expect(textOf(answer).split("\n")[1]).toBe(`- ${line}`);
    expect(answer?.["result"]).toMatchObject({ isError: true, content: [{}, ...content] });
  });

  test.each<[string, Message]>([
    ["no structured content", { content: [] }],
    ["null for it", { content: [], structuredContent: null }],
  ])("also one with %s", async (_, result) => {
    const server = returning(result, { results: "enforce" });
    await listed(server);
    expect(textOf(await server.call("count", {}))).toContain("VAL-00");
  });

  test("is not shown with results: enforce if it is too much to check, unless the host accepts that", async () => {
    const outputSchema = { type: "object", properties: { tag: { pattern: "^(a+)+$" } } };
    const tool = { name: "tag", inputSchema: { type: "object" }, outputSchema };
    const result = { content: [], structuredContent: { tag: "a".repeat(50_000) } };
    const reply: Script = ({ id }) => ({ jsonrpc: "2.0", id, result });
    const resultWith = async (options: GateOptions): Promise<unknown> => {
      const server = gatedServer(serverOf([tool], reply), { results: "enforce", ...options });
      await server.request({ jsonrpc: "2.0", id: 0, method: "tools/list", params: {} });
      return (await server.call("tag", {}))?.["result"];
    };
    expect(await resultWith({})).toMatchObject({
      isError: true,
      content: [
        { text: expect.stringContaining("is too much to check against the output schema") },
      ],
    });
    expect(await resultWith({ overBudget: "accept" })).toEqual(result);
    expect(await resultWith({ results: "report" })).toEqual(result);
  });

  test("is only reported in mode audit", async () => {
    const server = returning(odd(), { results: "enforce", mode: "audit" });
    await listed(server);
    expect((await server.call("count", {}))?.["result"]).toEqual(odd());
    expect(server.gate.invalidResults()).toEqual({ reported: 1, replaced: 0 });
  });
});

describe("nothing is said of", () => {
  test.each<[string, string, Message, GateSettings]>([
    ["a result that fits", "count", { content: [], structuredContent: { total: 3 } }, {}],
    ["an error of the tool", "count", { content: [], isError: true }, {}],
    ["a result that asks for input", "count", { resultType: "input_required" }, {}],
    ["a tool without an output schema", "plain", odd(), {}],
    ["anything, if nobody wants to know", "count", odd(), { results: "off" }],
  ])("%s", async (_, tool, result, options) => {
    const server = returning(result, { ...options });
    await listed(server);
    const link = server.link();
    const answer = await server.call(tool, {}, link);
    expect(answer?.["result"]).toEqual(result);
    expect(server.gate.invalidResults()).toEqual({ reported: 0, replaced: 0 });
  });
});

test("only calls of tools with an output schema are waited for", async () => {
  const server = returning(odd());
  await listed(server);
  const { gate } = server;
  const own = server.link();
  const send = (name: string) =>
    gate.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name } }, own);
  await send("plain");
  expect(gate.awaits(own)).toBe(false);
  await send("count");
  expect(gate.awaits(own)).toBe(true);
});
