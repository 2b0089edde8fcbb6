import { describe, expect, test } from "vitest";
import {
  type CallContext,
  type ContractOptions,
  type HandledInTurn,
  type ToolCall,
  createContract,
} from "../index.ts";

const inputSchema = { type: "object" } as const;
const tools = ["post", "read"].map((name) => ({ name, inputSchema }));
const place = { tools, conversationId: "t", runId: "r", turnId: "1" };

function open(options: ContractOptions = { repeatedCalls: "once" }) {
  const lines: string[] = [];
  const contract = createContract({ logger: (_, line) => void lines.push(line), ...options });
  const ran: unknown[] = [];
  const execute = async (args: unknown): Promise<string> => {
    ran.push(args);
    return Promise.resolve(`posted ${ran.length}`);
  };
  return {
    contract,
    lines,
    ran,
    turn: async (
      calls: readonly ToolCall[],
      context: Partial<CallContext> = {},
      run: (args: unknown) => unknown = execute,
    ): Promise<readonly HandledInTurn[]> =>
      contract.handleTurn(calls, { ...place, execute: run, ...context }),
  };
}

let made = 0;
const call = (args: unknown, name = "post", id = `call_${(made += 1)}`): ToolCall => ({
  id,
  name,
  arguments: args,
});
const nine = (args: unknown = { text: "hi" }): ToolCall[] =>
  Array.from({ length: 9 }, () => call(args));

describe("equal calls of one message", () => {
  test("run once, and each gets the answer under its own id", async () => {
    const { turn, ran, lines } = open();
    const calls = nine();
    const answers = await turn(calls);
    expect(ran).toEqual([{ text: "hi" }]);
    expect(answers.map(({ result }) => [result.toolCallId, result.content])).toEqual(
      calls.map(({ id }) => [id, "posted 1"]),
    );
    expect(new Set(lines)).toEqual(
      new Set(["A call came again and was answered with what it came to"]),
    );
  });

  test.each<[string, ContractOptions]>([
    ["by default", {}],
    ['with "run"', { repeatedCalls: "run" }],
  ])("run each %s, if nothing is known of their effect", async (_, options) => {
    const { turn, ran } = open(options);
    await turn(nine());
    expect(ran).toHaveLength(9);
  });

  test.each<[string, readonly ToolCall[]]>([
    ["have one id", Array.from({ length: 3 }, () => call({ n: 1 }, "post", "same"))],
    ["have none", Array.from({ length: 3 }, () => call({ n: 1 }, "post", ""))],
    [
      "are text and value",
      [call('{"a":1,"b":[2]}'), call({ b: [2], a: 1 }), call('{ "b":[2],"a":1}')],
    ],
    ["have no arguments", [call({}), call("{}")]],
  ])("are one if they %s", async (_, calls) => {
    const { turn, ran } = open();
    const answers = await turn(calls);
    expect(ran).toHaveLength(1);
    expect(new Set(answers.map(({ result }) => result.content))).toEqual(new Set(["posted 1"]));
  });

  test.each<[string, readonly ToolCall[]]>([
    ["other arguments", [call({ n: 1 }), call({ n: 2 })]],
    ["a number as text", [call({ n: 1 }), call({ n: "1" })]],
    ["another tool", [call({ n: 1 }), call({ n: 1 }, "read")]],
    [
      "arguments too long to compare",
      ["a", "b"].map((end) => call({ text: "x".repeat(300_000) + end })),
    ],
  ])("are not one with %s", async (_, calls) => {
    const { turn, ran } = open();
    await turn(calls);
    expect(ran).toHaveLength(2);
  });

  test.each<[string, Partial<CallContext>]>([
    ["message", { turnId: "2" }],
    ["run", { runId: "q" }],
    ["conversation", { conversationId: "u" }],
    ["user", { context: { user: "u-2" } }],
  ])("are others in another %s", async (_, context) => {
    const { turn, ran } = open();
    await turn(nine());
    await turn(nine(), context);
    expect(ran).toHaveLength(2);
  });

  test("are one where a host handles them one by one, in order or at once", async () => {
    const { contract } = open();
    let runs = 0;
    const handle = async (one: ToolCall): Promise<string> => {
      const execute = async (): Promise<number> => Promise.resolve((runs += 1));
      const context = { ...place, tool: { name: "post" } };
      return (await contract.handle(one, { ...context, execute })).result.content;
    };
    const [first, second, ...others] = nine() as [ToolCall, ToolCall, ...ToolCall[]];
    expect([await handle(first), await handle(second)]).toEqual(["1", "1"]);
    expect(await Promise.all(others.map(handle))).toEqual(others.map(() => "1"));
    expect(runs).toBe(1);
  });

  test("are each run where a host sees no messages", async () => {
    const { turn, ran } = open();
    await turn(nine(), { together: 50 });
    await turn(nine(), { knowsRun: false });
    expect(ran).toHaveLength(18);
  });

  test("are admitted each, and run once", async () => {
    const { contract, ran } = open();
    const admissions = await contract.admitTurn(nine(), place);
    const outputs = await Promise.all(
      admissions.map(async (one) =>
        one.status === "admitted" ? one.run(async (args) => ran.push(args)) : undefined,
      ),
    );
    expect(outputs).toEqual(admissions.map(() => 1));
    expect(ran).toHaveLength(1);
  });

  test("share what their tool throws", async () => {
    const { turn } = open();
    let runs = 0;
    const answers = await turn(nine(), {}, () => {
      runs += 1;
      throw new Error(`offline ${runs}`);
    });
    expect(answers.map(({ result }) => result.content)).toEqual(
      answers.map(() => expect.stringContaining("offline 1")),
    );
    expect(new Set(answers.map(({ result }) => result.toolCallId)).size).toBe(9);
  });

  test("are each refused if they are invalid", async () => {
    const { contract } = open();
    const strict = { name: "post", inputSchema: { type: "object", required: ["text"] } } as const;
    const calls = nine({});
    const answers = await contract.handleTurn(calls, {
      ...place,
      tools: [strict],
      execute: () => expect.unreachable(),
    });
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
    expect(answers.map((one) => "attempt" in one && one.attempt)).toEqual(calls.map(() => 1));
  });

  test("are told that the result is no longer kept if it can be read once", async () => {
    const { turn } = open();
    const [first, second] = await turn(nine().slice(0, 2), {}, () => new ReadableStream());
    expect(first?.result.content).toBe("");
    expect(second?.result.content).toBe(
      "Tool 'post' has run and need not be called again, but its result is withheld: it is no longer kept",
    );
  });
});
