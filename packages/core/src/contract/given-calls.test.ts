import { describe, expect, test } from "vitest";
import { parseRejection } from "../message/index.ts";
import { type TextCall, type ToolCall, defineTool } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";

interface Played {
  readonly ran: readonly unknown[];
  readonly statuses: readonly string[];
  readonly contents: readonly string[];
  readonly ids: readonly string[];
}

async function play(
  calls: readonly unknown[],
  context: { readonly finishReason?: string | null; readonly turnId?: string } = {},
): Promise<Played> {
  const ran: unknown[] = [];
  const note = (args: unknown): string => {
    ran.push(args);
    return "done";
  };
  const wipe = defineTool({
    name: "wipe",
    inputSchema: { type: "object", properties: { where: { type: "string" } } },
    execute: note,
  });
  const shell = defineTool({
    name: "shell",
    inputSchema: { type: "string", pattern: "^ls" },
    execute: note,
  });
  const handled = await createContract({ logger: false }).handleTurn(
    calls as readonly (ToolCall | TextCall)[],
    { tools: [wipe, shell], conversationId: "thread-7", ...context },
  );
  return {
    ran,
    statuses: handled.map(({ status }) => status),
    contents: handled.map(({ result }) => result.content),
    ids: handled.map(({ result }) => result.toolCallId),
  };
}

const whole = { id: "c1", name: "wipe", arguments: { where: "a" } };

describe("one odd call stops nobody", () => {
  test.each([
    ["no id", { name: "wipe", arguments: {} }],
    ["id null", { id: null, name: "wipe", arguments: {} }],
    ["id 7", { id: 7, name: "wipe", arguments: {} }],
  ])("%s: an id is made, and both run", async (_, odd) => {
    const { ran, statuses, ids } = await play([whole, odd]);
    expect([ran.length, statuses]).toEqual([2, ["executed", "executed"]]);
    expect(ids[1]).toMatch(/^[a-z0-9]{9}$/);
  });

  test.each([
    ["null", null, "Unknown tool 'null'"],
    ["a number", 7, "Unknown tool '7'"],
    ["undefined", undefined, "Unknown tool ''"],
  ])("a name that is %s is of no tool (VAL-012)", async (_, name, message) => {
    const { ran, statuses, contents } = await play([whole, { id: "c2", name, arguments: {} }]);
    expect([ran.length, statuses]).toEqual([1, ["executed", "rejected"]]);
    expect(contents[1]).toContain("VAL-012");
    expect(contents[1]).toContain(message);
  });

  test("a made id is the same for the same place of the same turn, and else another", async () => {
    const odd = [{ name: "wipe", arguments: {} }];
    const ids = async (turnId?: string): Promise<readonly string[]> =>
      (await play(odd, turnId === undefined ? {} : { turnId })).ids;
    expect(await ids("turn-1")).toEqual(await ids("turn-1"));
    expect(await ids("turn-1")).not.toEqual(await ids("turn-2"));
    expect(await ids()).not.toEqual(await ids());
  });

  test.each([
    ["Gemini's call", { id: "x", name: "wipe", args: {} }],
    ["Anthropic's block", { type: "tool_use", id: "x", name: "wipe", input: {} }],
    ["a Responses item", { id: "fc_1", call_id: "call_1", name: "wipe", arguments: "{}" }],
    ["Chat's call", { id: "x", function: { name: "wipe", arguments: "{}" } }],
    ["the AI SDK's call", { toolCallId: "x", toolName: "wipe", input: {} }],
  ])("%s is the host's mistake, and throws", async (_, raw) => {
    await expect(play([raw])).rejects.toThrow("contract.handleTurn: a call must be");
  });
});

describe("free text", () => {
  const call = (text: string): object => ({ id: "c1", name: "shell", text });

  test.each(["ls -la", 'ls "{"', "ls\n{}"])("%j runs as it is", async (text) => {
    expect(await play([call(text)])).toMatchObject({ ran: [text], statuses: ["executed"] });
  });

  test.each(["42", '{"a":1}', '"ls"'])("%j is judged as text", async (text) => {
    const { ran, contents } = await play([call(text)]);
    expect(ran).toEqual([]);
    expect(contents[0]).toContain("VAL-007");
    expect(contents[0]).toContain("Correct this and call 'shell' again with the whole text.");
    expect(parseRejection(contents[0] ?? "")).toMatchObject({ toolName: "shell", attempt: 1 });
  });

  test.each([
    ["length", 0],
    ["error", 0],
    [null, 0],
    ["stop", 1],
    ["completed", 1],
  ])("with the reason %s runs %i times: nothing in it says where it ends", async (reason, runs) => {
    const { ran, contents } = await play([call("ls -la")], { finishReason: reason });
    expect(ran).toHaveLength(runs);
    if (runs === 0) expect(contents[0]).toMatch(/VAL-011[^]*the whole text/);
  });

  test("to a tool of arguments is refused", async () => {
    const { ran, contents } = await play([{ id: "c1", name: "wipe", text: '{"where":"a"}' }]);
    expect(ran).toEqual([]);
    expect(contents[0]).toContain("expected object, got string");
  });
});

test("what came with a call for its answer is in its result, however it ends", async () => {
  const wire = { caller: "p1" };
  const contract = createContract({ logger: false });
  const calls = ["ls", "rm", "none"].map((text) => ({
    id: text,
    name: text === "none" ? "none" : "shell",
    text,
    wire,
  }));
  const handled = await contract.handleTurn(calls, {
    tools: [{ name: "shell", inputSchema: { type: "string", pattern: "^ls" } }],
    conversationId: "thread-7",
    execute: () => "done",
  });
  expect(handled.map(({ result }) => result.wire)).toEqual([wire, wire, wire]);
});
