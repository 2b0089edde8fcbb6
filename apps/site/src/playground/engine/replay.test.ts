import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { expectLinearCost } from "@toolcontract/case-table/cost";
import { anyString } from "../../testing/any-string.ts";
import {
  DEFAULT_OPTIONS,
  MAX_CALLS,
  type PlaygroundOptions,
  type PlaygroundState,
  withNextCall,
} from "../state/index.ts";
import { replay } from "./replay.ts";

const SCHEMA = {
  type: "object",
  properties: {
    path: { type: "string" },
    encoding: { enum: ["utf-8", "ascii"] },
    lines: { type: "array", items: { type: "integer" } },
  },
  required: ["path"],
  additionalProperties: false,
};
const JSON_SCHEMA = JSON.stringify(SCHEMA);

interface Typed extends Partial<PlaygroundOptions> {
  readonly tool?: string;
  readonly sent?: readonly string[];
}

function stateOf(call: string, typed: Typed = {}): PlaygroundState {
  const { tool = JSON_SCHEMA, sent = [], ...options } = typed;
  return {
    tool: { language: "json", text: tool },
    sent,
    call,
    options: { ...DEFAULT_OPTIONS, ...options },
  };
}

const WORKS =
  'This one works: {"name":"weather","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}';
const OPEN = '{"properties":{"path":{}}}';
const WRONG = '{"pth":"a.md"}';
/** What a model reads after a valid call. */
const RETURNED = "(what the tool returns)";

describe("one call", () => {
  test("is answered in both styles, with its log line and what a model sends next", async () => {
    const { turns, faults } = await replay(stateOf(WRONG));
    const standard = `Validation failed for tool 'my_tool' (attempt 1/3):

Errors:
• /pth (VAL-005): Unknown field 'pth'
  Expected: only path, encoding, lines
  Hint: rename it to "path"

Correct these and call 'my_tool' again with all arguments.`;
    const compact = `Validation failed for tool 'my_tool' (attempt 1/3):
- /pth (VAL-005): unknown field; expected only path, encoding, lines; rename it to "path"
Fix these and call again with all arguments.`;
    expect(faults).toEqual([]);
    expect(turns).toEqual([
      {
        sent: WRONG,
        written: { from: 0, to: WRONG.length },
        status: "rejected",
        attempt: 1,
        maxAttempts: 3,
        message: standard,
        styles: { standard, compact },
        repairs: [],
        unchecked: [],
        placeholders: [],
        log: '{"level":"warn","message":"Tool validation failed","tool_name":"my_tool","error_count":1,"retry_attempt":1,"max_retries":3,"errors":[{"path":"/*","code":"VAL-005"}],"correlation_id":"playground"}',
        corrected: '{"path":"a.md"}',
      },
    ]);
  });

  test("that is valid runs the tool", async () => {
    const [turn] = (await replay(stateOf('{"path":"a.md"}'))).turns;
    expect(turn).toEqual({
      sent: '{"path":"a.md"}',
      written: { from: 0, to: 15 },
      status: "ran",
      attempt: 1,
      maxAttempts: 3,
      message: RETURNED,
      styles: { standard: RETURNED, compact: RETURNED },
      repairs: [],
      unchecked: [],
      placeholders: [],
      ranWith: '{\n  "path": "a.md"\n}',
    });
  });

  test("that is repaired says how, and runs with what was meant", async () => {
    const [turn] = (await replay(stateOf('```json\n{path: "a.md",}\n```'))).turns;
    expect(turn?.repairs).toEqual([
      "The code fence was removed (8 characters at position 0)",
      "The JSON syntax was repaired (13 characters replaced by 14 at position 9)",
      "The code fence was removed (4 characters at position 23)",
    ]);
    expect(turn?.ranWith).toBe('{\n  "path": "a.md"\n}');
  });

  test("whose strings hold JSON says that they were read", async () => {
    const call = '{"path":"a","lines":"[1]"}';
    const [turn] = (await replay(stateOf(call, { unwrapStrings: true }))).turns;
    expect(turn?.repairs).toEqual(["A string was read as the JSON in it (3 characters)"]);
  });

  test("whose brackets are missing says that they were added", async () => {
    const [turn] = (await replay(stateOf('{"path":"a"', { closeDangling: true }))).turns;
    expect(turn?.repairs).toEqual(["Missing brackets were added (1 character at position 11)"]);
  });

  test.each<[option: string, options: Typed, call: string, expected: string]>([
    ["style", { style: "compact" }, WRONG, "- /pth (VAL-005): unknown field"],
    ["maxAttempts", { maxAttempts: 1 }, WRONG, "Do not call 'my_tool' again"],
    ["maxErrors", { maxErrors: 1 }, '{"a":1,"b":2,"c":3}', "more error"],
    [
      "maxLength",
      { maxLength: 400 },
      '{"path":[1,2],"encoding":7,"lines":"many","eeee":5}',
      "more error",
    ],
    [
      "maxValuePreview",
      { maxValuePreview: 4 },
      '{"path":"a","encoding":"klingon"}',
      '"k..." (7 characters)',
    ],
    ["unknownFields", { tool: OPEN, unknownFields: "reject" }, '{"a":1}', "VAL-005"],
    [
      "unknownFields, warned of",
      { tool: OPEN, unknownFields: "warn" },
      '{"a":1}',
      "VAL-005 warning",
    ],
    ["repairJson", { repairJson: false }, "{path: 1}", "VAL-004"],
    ["closeDangling", { closeDangling: true }, '{"path":"a"', RETURNED],
    ["unwrapStrings", { unwrapStrings: true }, '{"path":"a","lines":"[1]"}', RETURNED],
    ["redact", { redact: "name, encoding" }, '{"path":"a","encoding":"x"}', '"[hidden]"'],
  ])("obeys the option %s", async (_, options, call, expected) => {
    const [turn] = (await replay(stateOf(call, options))).turns;
    expect(turn?.message).toContain(expected);
  });

  test("is validated with core's defaults if an option does not fit", async () => {
    const options = { maxAttempts: Number.NaN, maxLength: -1, style: "loud" as "compact" };
    expect(await replay(stateOf(WRONG, options))).toEqual(await replay(stateOf(WRONG)));
  });
});

describe("what is not checked of a call is said of that call", () => {
  const SLOW = { properties: { a: { pattern: "^(a+)+$" }, b: { type: "integer" } } };
  const LONG = `{"a":"${"a".repeat(50_000)}b"}`;

  test.each<[string, object, string, readonly string[]]>([
    ["the same pattern on a short string", SLOW, '{"a":"aaa"}', []],
    [
      "a $ref to itself",
      { $ref: "#" },
      "{}",
      ["The JSON Schema cannot be read, so nothing is enforced"],
    ],
    [
      "a pattern that cannot be read",
      { properties: { a: { pattern: "(" } } },
      '{"a":"b"}',
      ["A pattern is not a regular expression and was left out (/properties/a/pattern)"],
    ],
    ["a misspelt type", { properties: { a: { type: "float" } } }, '{"a":1}', []],
    ["nothing", SCHEMA, '{"path":"a"}', []],
  ])("%s", async (_, schema, call, unchecked) => {
    const { turns } = await replay(stateOf(call, { tool: JSON.stringify(schema) }));
    expect(turns).toMatchObject([{ status: "ran", unchecked }]);
  });

  test.each<[string, object, readonly string[]]>([
    ["a pattern that is too slow", SLOW, []],
    [
      "a pattern under a not, beside a keyword that is broken",
      { minimum: "3", properties: { a: { not: { pattern: "^(a+)+$" } } } },
      ["A keyword is broken and was left out (/minimum)"],
    ],
    [
      "a pattern where no keyword is",
      { foo: { pattern: "^(a+)+$" }, properties: { a: { $ref: "#/foo" } } },
      [],
    ],
  ])("a string is refused that is too long for %s", async (_, schema, unchecked) => {
    const { turns } = await replay(stateOf(LONG, { tool: JSON.stringify(schema) }));
    expect(turns).toMatchObject([
      { status: "rejected", unchecked, message: expect.stringContaining("VAL-016") as unknown },
    ]);
  });

  test("also if something else in it is wrong, and in each turn alone", async () => {
    const wrong = LONG.replace("}", ',"b":"x"}');
    const sent = [LONG, '{"a":"aaa"}', wrong];
    const { turns } = await replay(stateOf('{"a":"a"}', { tool: JSON.stringify(SLOW), sent }));
    expect(turns.map(({ status, unchecked }) => [status, unchecked])).toEqual([
      ["rejected", []],
      ["ran", []],
      ["rejected", []],
      ["ran", []],
    ]);
  });
});

describe("the hints of a message", () => {
  test("leave to the model what they do not name, and the call is unfinished until then", async () => {
    const sent = '{"lines":"1","encodin":"ascii"}';
    const corrected = '{"lines":[1],"encoding":"ascii","path":"<path: the model fills this in>"}';
    expect((await replay(stateOf(sent))).turns[0]).toMatchObject({ placeholders: [], corrected });
    const [, turn] = (await replay(stateOf(corrected, { sent: [sent] }))).turns;
    expect(turn).toMatchObject({ status: "unfinished", placeholders: ["path"] });
    expect(turn?.changes).toEqual([
      { place: "/encodin", hint: 'rename it to "encoding"' },
      { place: "/lines", hint: "use [1]" },
      { place: "/path" },
    ]);
    expect(turn).not.toHaveProperty("ranWith");
    const filled = corrected.replace(/<.*>/, "a.md");
    const [, next] = (await replay(stateOf(filled, { sent: [sent] }))).turns;
    expect(next).toMatchObject({ status: "ran", placeholders: [] });
    expect(next).not.toHaveProperty("changes");
  });

  test.each<[string, Typed, string]>([
    ["do not complete what was cut off", {}, '{"pth":"a'],
    [
      "do not complete what was cut off where brackets are added",
      { closeDangling: true },
      '{"pth":"a"',
    ],
    ["are not applied after the last attempt", { maxAttempts: 1 }, WRONG],
    ["are not applied to a blocked tool", { maxAttempts: 1, sent: [WRONG] }, WRONG],
  ])("%s", async (_, typed, call) => {
    const turn = (await replay(stateOf(call, typed))).turns.at(-1);
    expect(turn?.status).not.toBe("ran");
    expect(turn).not.toHaveProperty("corrected");
  });
});

describe("a conversation", () => {
  test("escalates with the last attempt, and the tool stays blocked", async () => {
    const again = (state: PlaygroundState): PlaygroundState => withNextCall(state);
    const { turns } = await replay(again(again(again(stateOf(WRONG)))));
    expect(turns.map(({ status, attempt }) => [status, attempt])).toEqual([
      ["rejected", 1],
      ["rejected", 2],
      ["escalated", 3],
      ["blocked", 3],
    ]);
    expect(turns[1]?.message).toContain("These are the same arguments as in attempt 1.");
    expect(turns[1]?.corrected).toBeUndefined();
    expect(turns[2]?.escalation).toContain("Tool 'my_tool' validation failed after 3 attempts.");
    expect(turns[3]?.message).toContain("(blocked after 3/3)");
    expect(turns[3]?.log).toContain("Tool validation blocked");
  });

  test.each([
    ["forgive", "ran"],
    ["refuse", "blocked"],
  ] as const)("that was blocked can %s a valid call", async (onBlocked, status) => {
    const { turns } = await replay(
      stateOf('{"path":"a"}', { sent: [WRONG], maxAttempts: 1, onBlocked }),
    );
    expect(turns.map((turn) => turn.status)).toEqual(["escalated", status]);
  });

  test("keeps its newest calls", async () => {
    const sent = Array.from({ length: 40 }, (_, index) => `{"path":${index}}`);
    const { turns } = await replay(stateOf(WRONG, { sent }));
    expect(turns).toHaveLength(MAX_CALLS);
    expect(turns[0]?.sent).toBe('{"path":21}');
  });
});

describe("the tool", () => {
  test.each([
    ["a bare JSON Schema", "my_tool", SCHEMA],
    ["a bare JSON Schema", "write_file", { ...SCHEMA, title: "write_file" }],
    ["a bare JSON Schema", "my_tool", { ...SCHEMA, title: "Writes a file" }],
    ["an MCP tool", "write_file", { name: "write_file", inputSchema: SCHEMA }],
    ["an Anthropic tool", "write_file", { name: "write_file", input_schema: SCHEMA }],
    ["an OpenAI function", "write_file", { name: "write_file", parameters: SCHEMA }],
    [
      "an OpenAI function",
      "write_file",
      { type: "function", name: "write_file", parameters: SCHEMA },
    ],
    [
      "an OpenAI function",
      "write_file",
      { type: "function", function: { name: "write_file", parameters: SCHEMA } },
    ],
    ["a Gemini function", "write_file", { name: "write_file", parametersJsonSchema: SCHEMA }],
    ["a LangChain tool", "write_file", { name: "write_file", description: "d", schema: SCHEMA }],
  ])("is read as %s, named %s", async (readAs, name, tool) => {
    const { tool: read, turns } = await replay(stateOf(WRONG, { tool: JSON.stringify(tool) }));
    expect(read).toMatchObject({ name, readAs });
    expect(turns[0]?.message).toContain(`Validation failed for tool '${name}'`);
  });

  const mcp = (name: string): object => ({ name, inputSchema: { type: "object" } });
  const openai = (name: string): object => ({ type: "function", function: { name } });
  const calling = (name: string): string =>
    JSON.stringify({ type: "tool_use", id: "1", name, input: {} });
  test.each([
    [
      "the answer of a server",
      { result: { tools: [mcp("a"), mcp("b")] } },
      "{}",
      "a",
      "an MCP tool, the first of 2 in this list",
    ],
    [
      "the tool that is called",
      { tools: [mcp("a"), mcp("b")] },
      calling("b"),
      "b",
      "an MCP tool, the called one of 2 in this list",
    ],
    ["a list of one", [mcp("a")], "{}", "a", "an MCP tool"],
    [
      "a request to OpenAI",
      { messages: [], tools: [openai("a"), openai("b")] },
      "{}",
      "a",
      "an OpenAI function, the first of 2 in this list",
    ],
    [
      "a request to Anthropic",
      { tools: [{ name: "a", input_schema: {} }] },
      "{}",
      "a",
      "an Anthropic tool",
    ],
    [
      "a request to Gemini",
      { tools: [{ functionDeclarations: [{ name: "a", parameters: {} }] }] },
      "{}",
      "a",
      "an OpenAI function",
    ],
  ])("of %s, one tool is taken", async (_, document, call, name, readAs) => {
    const state = stateOf(call, { tool: JSON.stringify(document) });
    expect((await replay(state)).tool).toMatchObject({ name, readAs });
  });

  test("lists in lists are read without an end", async () => {
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    expect((await replay(stateOf("{}", { tool: deep }))).faults).not.toEqual([]);
  });

  test.each([
    ["no text", "  ", "Paste a JSON Schema or a whole tool."],
    [
      "text that is not JSON",
      "{\n  type: 1\n}",
      `Line 2, column 3: The name type needs double quotes. ${WORKS}`,
    ],
    ["cut JSON", '{"type":', `Line 1, column 8: The text ends before the JSON does. ${WORKS}`],
    ["an empty list", '{"tools":[]}', "This list is empty. Paste one with tools."],
    [
      "a list whose first tool has no schema",
      '[{"name":"a","inputSchema":1},{"name":"b","inputSchema":{}}]',
      "This is an MCP tool, but its inputSchema is not a JSON Schema.",
    ],
    [
      "a tool without a schema",
      '{"name":"a","description":"b"}',
      'This has no schema. Paste a JSON Schema, such as {"type":"object"}, or a whole tool.',
    ],
    [
      "a tool that is wrapped",
      '{"toolSpec":{"name":"a","inputSchema":{"json":{}}}}',
      'This has no schema. Paste a JSON Schema, such as {"type":"object"}, or a whole tool.',
    ],
    ["a string", '"object"', 'This is not a tool. Paste a JSON Schema, such as {"type":"object"}.'],
    [
      "a tool whose schema is not an object",
      '{"name":"a","inputSchema":"x"}',
      "This is an MCP tool, but its inputSchema is not a JSON Schema.",
    ],
    [
      "a validator as JSON",
      '{"~standard":{}}',
      "Tool 'my_tool': inputSchema is a Standard Schema validator. Pass it as `validator`.",
    ],
  ])("that is %s is a fault", async (_, tool, message) => {
    expect(await replay(stateOf(WRONG, { tool }))).toEqual({
      faults: [{ place: "Tool", severity: "error", message }],
      turns: [],
    });
  });

  test.each([
    [
      "an unknown dialect",
      { $schema: "urn:mine" },
      "{}",
      "The $schema is unknown, so nothing is enforced",
    ],
    [
      "a broken keyword",
      { properties: { a: { minimum: "3" }, b: { type: "string" } } },
      "{}",
      "A keyword is broken and was left out (/properties/a/minimum)",
    ],
    [
      "a $ref to itself",
      { $ref: "#" },
      "{}",
      "The JSON Schema cannot be read, so nothing is enforced",
    ],
    [
      "a misspelt type",
      { properties: { a: { type: "float" } } },
      "{}",
      "A keyword is misspelt and was read as intended (/properties/a/type)",
    ],
    [
      "a pattern that cannot be read",
      { properties: { a: { pattern: "(" } } },
      '{"a":"b"}',
      "A pattern is not a regular expression and was left out (/properties/a/pattern)",
    ],
  ])("with %s is enforced as far as it can be, and says so", async (_, schema, call, message) => {
    const { faults, turns } = await replay(stateOf(call, { tool: JSON.stringify(schema) }));
    expect(faults).toEqual([{ place: "Tool", severity: "note", message }]);
    expect(turns).toHaveLength(1);
  });

  test("in zod is validated by what its text evaluated to", async () => {
    const state = stateOf('{"path":1}', { tool: "z.object({ path: z.string() })" });
    const zod: PlaygroundState = { ...state, tool: { ...state.tool, language: "zod" } };
    const schema = z.object({ path: z.string() });
    const { tool, turns } = await replay(zod, schema);
    expect(tool).toEqual({ name: "my_tool", readAs: "zod" });
    expect((await replay(zod, schema, "read_file")).tool?.name).toBe("read_file");
    expect(turns[0]?.message).toContain(
      "• /path (VAL-002): Type mismatch: expected string, got integer",
    );
    expect((await replay(zod)).faults[0]?.message).toContain("The code defines no schema.");
    expect((await replay(zod, {} as never)).faults[0]?.message).toContain(
      "validator must be a Standard Schema",
    );
  });
});

describe("the call", () => {
  test.each([
    ["an Anthropic tool_use block", { type: "tool_use", id: "a", name: "t", input: { path: 1 } }],
    [
      "an OpenAI tool call",
      { id: "a", type: "function", function: { name: "t", arguments: '{"path":1}' } },
    ],
    [
      "an OpenAI function call",
      { type: "function_call", call_id: "a", name: "t", arguments: '{"path":1}' },
    ],
    ["an AI SDK tool call", { type: "tool-call", toolName: "t", input: { path: 1 } }],
    ["a LangChain tool call", { type: "tool_call", id: "a", name: "t", args: { path: 1 } }],
    [
      "an OpenAI function call",
      { role: "a", function_call: { name: "t", arguments: '{"path":1}' } },
    ],
    ["a Gemini function call", { functionCall: { name: "t", args: { path: 1 } } }],
    ["an MCP request", { method: "tools/call", params: { name: "t", arguments: { path: 1 } } }],
  ])("that is %s sends the arguments in it", async (kind, call) => {
    const { tool, faults, turns } = await replay(stateOf(JSON.stringify(call)));
    expect(faults).toEqual([
      { place: "Call", severity: "note", message: `This is ${kind}; its arguments were sent.` },
    ]);
    expect(tool?.name).toBe("t");
    expect(turns[0]).toMatchObject({ sent: '{"path":1}', corrected: '{"path":"1"}' });
  });

  const block = { type: "tool_use", id: "a", name: "t", input: { path: 1 } };
  const said = { type: "text", text: "I write it." };
  const openai = { type: "function", function: { name: "t", arguments: '{"path":1}' } };
  test.each<[string, unknown, string]>([
    ["a list of blocks", [said, block], "an Anthropic tool_use block"],
    ["an Anthropic message", { content: [said, block] }, "an Anthropic tool_use block"],
    ["an OpenAI message", { content: null, tool_calls: [openai] }, "an OpenAI tool call"],
    [
      "an OpenAI response",
      { output: [said, { type: "function_call", name: "t", arguments: '{"path":1}' }] },
      "an OpenAI function call",
    ],
    [
      "a message with a long text",
      { content: "a".repeat(5_000), tool_calls: [openai] },
      "an OpenAI tool call",
    ],
    [
      "a chat completion",
      { choices: [{ message: { tool_calls: [openai] } }] },
      "an OpenAI tool call",
    ],
    ["a conversation", [{ content: "Hi" }, { tool_calls: [openai] }], "an OpenAI tool call"],
    [
      "a Gemini response",
      {
        candidates: [
          {
            content: { parts: [{ text: "" }, { functionCall: { name: "t", args: { path: 1 } } }] },
          },
        ],
      },
      "a Gemini function call",
    ],
    [
      "a serialized LangChain message",
      { lc: 1, kwargs: { tool_calls: [{ type: "tool_call", name: "t", args: { path: 1 } }] } },
      "a LangChain tool call",
    ],
  ])("that is in %s sends the arguments in it", async (_, whole, kind) => {
    const { tool, faults, turns } = await replay(stateOf(JSON.stringify(whole)));
    expect(faults.map(({ message }) => message)).toEqual([
      `This is ${kind}; its arguments were sent.`,
    ]);
    expect(tool?.name).toBe("t");
    expect(turns[0]).toMatchObject({ sent: '{"path":1}', corrected: '{"path":"1"}' });
  });

  describe("with others in one answer", () => {
    const tools = JSON.stringify({
      tools: [
        { name: "read_file", inputSchema: SCHEMA },
        { name: "write_file", inputSchema: SCHEMA },
      ],
    });
    const use = (name: string, input: object) => ({ type: "tool_use", id: name, name, input });
    const sendBoth = (...calls: readonly object[]) =>
      replay(stateOf(JSON.stringify(calls), { tool: tools }));

    test("is judged like them: the valid one runs, the other is answered", async () => {
      const { faults, sent, tool, turns } = await sendBoth(
        use("write_file", { pth: "a" }),
        use("read_file", { path: "a" }),
      );
      expect(tool?.name).toBe("write_file");
      expect(sent).toBe('{"pth":"a"}');
      expect(faults[0]?.message).toBe("These are 2 calls, each an Anthropic tool_use block.");
      expect(turns.map(({ status, place }) => [status, place])).toEqual([
        ["rejected", { number: 1, of: 2, name: "write_file" }],
        ["ran", { number: 2, of: 2, name: "read_file" }],
      ]);
      // The valid call ran and is not sent again.
      expect(JSON.parse(turns[1]?.corrected ?? "")).toEqual([
        { type: "function", function: { name: "write_file", arguments: '{"path":"a"}' } },
      ]);
    });

    test("gets the name that the hint gives, and the others keep theirs", async () => {
      const { turns } = await sendBoth(
        use("wrte_file", { path: "a" }),
        use("read_file", { pat: 1 }),
      );
      expect(turns.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      const next = JSON.parse(turns[1]?.corrected ?? "") as readonly { function: object }[];
      expect(next.map((call) => call.function)).toEqual([
        { name: "write_file", arguments: '{"path":"a"}' },
        { name: "read_file", arguments: '{"path":1}' },
      ]);
    });

    test("counts one attempt with those of its turn, and another after a result", async () => {
      const wrong = use("read_file", { pth: "a" });
      const result = { type: "tool_result", content: "no" };
      const { turns } = await sendBoth(wrong, wrong, result, wrong);
      expect(turns.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
    });

    test("of a bare schema is of that tool", async () => {
      const calls = JSON.stringify([use("a", { path: "a" }), use("b", { path: 1 })]);
      const { turns } = await replay(stateOf(calls));
      expect(turns.map(({ status }) => status)).toEqual(["ran", "rejected"]);
    });
  });

  const reader = JSON.stringify({ name: "read_file", inputSchema: SCHEMA });
  test.each([
    ["one with a similar name", "raed_file", ['use "read_file"']],
    ["one that differs in case", "Read_File", ['use "read_file"']],
    ["any other", "delete_everything", undefined],
    ["one without a name", "", undefined],
    ["a key of a prototype", "__proto__", undefined],
  ])("of %s is answered as the contract answers it", async (_, name, hints) => {
    const call = JSON.stringify({ ...block, name, input: { path: "a" } });
    const { sent, turns } = await replay(stateOf(call, { tool: reader, style: "compact" }));
    expect(sent).toBeUndefined();
    expect(turns[0]?.status).toBe("rejected");
    expect(turns[0]?.message).toContain(`(arguments) (VAL-012): Unknown tool '${name}'`);
    const { corrected } = turns[0] ?? {};
    expect(corrected).toBe(hints && '{"path":"a"}');
    if (corrected === undefined) return;
    const next = await replay(stateOf(corrected, { tool: reader, sent: [call] }));
    expect(next.turns[1]).toMatchObject({
      status: "ran",
      changes: [{ place: "(tool)", hint: 'use "read_file"' }],
    });
  });

  test("of a tool without a name is of that tool, whatever was called before", async () => {
    const call = (name: string) => JSON.stringify({ ...block, name, input: { path: "a" } });
    const { tool, turns } = await replay(stateOf('{"path":"a"}', { sent: [call("t"), call("u")] }));
    expect(tool?.name).toBe("u");
    expect(turns.map(({ status }) => status)).toEqual(["ran", "ran", "ran"]);
  });

  test.each([
    ["lists", "[", "]"],
    ["messages", '{"content":', "}"],
  ])("in which %s are nested very deep is sent unchanged", async (_, open, close) => {
    const call = `${open.repeat(100_000)}{"type":1}${close.repeat(100_000)}`;
    const { faults, turns } = await replay(stateOf(call));
    expect(faults).toEqual([]);
    expect(turns).toHaveLength(1);
  });

  test("with some keys of a whole call is sent unchanged if it is not one", async () => {
    const { faults, turns } = await replay(stateOf('{"type":"tool_use","path":"a"}'));
    expect(faults).toEqual([]);
    expect(turns[0]?.message).toContain("/type (VAL-005)");
  });

  test("is cut in the history, not inside a character", async () => {
    const [turn] = (await replay(stateOf(`${"a".repeat(199)}😀😀`))).turns;
    expect(turn?.sent).toBe(`${"a".repeat(199)}…`);
  });
});

const json = fc.oneof(fc.json(), fc.string(), anyString);
const keyword = fc.constantFrom(
  "type",
  "properties",
  "items",
  "required",
  "anyOf",
  "pattern",
  "$ref",
  "enum",
  "name",
  "inputSchema",
  "~standard",
  "__proto__",
  "function",
  "minimum",
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("object", "string", "function", "#", "(a+)+$", ["a"]),
);
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    value,
    fc.dictionary(fc.oneof(keyword, fc.string()), tie("schema")),
  ),
}));

test("any tool and any calls are replayed without a throw", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        json,
        schema.map((one) => JSON.stringify(one)),
      ),
      fc.array(json, { maxLength: 3 }),
      json,
      async (tool, sent, call) => {
        const { faults, turns } = await replay(stateOf(call, { tool, sent }));
        const isRead = faults.every(({ severity }) => severity === "note");
        expect(turns).toHaveLength(isRead ? sent.length + 1 : 0);
      },
    ),
  );
});

describe("hostile input is answered", () => {
  const wide = JSON.stringify({
    properties: Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [
        `field_${index}`,
        { type: "string", description: "x".repeat(5_000) },
      ]),
    ),
    required: ["field_7"],
  });

  const unionOf = (length: number): string =>
    JSON.stringify({
      properties: {
        a: {
          anyOf: Array.from({ length }, (_, index) => ({
            properties: { kind: { const: `kind-${index}` } },
            required: ["kind"],
          })),
        },
      },
    });

  test.each<[string, Typed, string]>([
    ["a schema of 5 MB", { tool: wide }, '{"field7":1}'],
    ["10 MB of arguments", {}, JSON.stringify({ path: 1, reason: "a".repeat(10_000_000) })],
    ["10 MB of arguments that are no JSON", {}, `{"path":"${"a".repeat(10_000_000)}`],
    ["a union of 1,000 variants", { tool: unionOf(1_000) }, '{"a":{"kind":"none"}}'],
    [
      "a deeply nested schema",
      { tool: '{"items":'.repeat(5_000) + "{}" + "}".repeat(5_000) },
      "[[[[]]]]",
    ],
    ["deeply nested arguments", {}, "[".repeat(500_000) + "]".repeat(500_000)],
    ["a schema that refers to itself", { tool: '{"$ref":"#"}' }, WRONG],
    [
      "a pattern that explodes",
      { tool: '{"properties":{"path":{"pattern":"^(([a-z])+.)+[A-Z]$"}}}' },
      `{"path":"${"a".repeat(100_000)}"}`,
    ],
  ])("%s", async (_, typed, call) => {
    const { turns } = await replay(stateOf(call, typed));
    expect(turns).toHaveLength(1);
    expect(JSON.stringify(turns).length).toBeLessThan(100_000);
  });

  test.each([
    ["HTML", '{"<img src=x onerror=alert(1)>":1}', "<img"],
    ["bidirectional marks", '{"\u202egnp":1}', "\u202e"],
    ["a prototype's key", '{"__proto__":{"a":1},"path":"a"}', RETURNED],
  ])("%s in a call", async (_, call, unwanted) => {
    const [turn] = (await replay(stateOf(call))).turns;
    expect(turn?.status).toBe("rejected");
    expect(turn?.message).not.toContain(unwanted);
  });

  test("looking for placeholders costs no more than the call is long", async () => {
    await expectLinearCost((length) => {
      const state = stateOf(`${'"<'.repeat(length)}: the model fills this in>`);
      return async () => replay(state);
    }, 10_000);
  });

  test("a long conversation costs no more than its calls", async () => {
    const work = (length: number) => {
      const state = stateOf(JSON.stringify({ path: "a", lines: Array.from({ length }, String) }));
      return async () => replay(state);
    };
    await expectLinearCost(work, 2_000);
  });
});
