import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ToolDefinition, createContract } from "../index.ts";

const contract = createContract({ logger: false, format: { style: "compact" } });

/** A tool with these fields, all of them required unless said otherwise. */
function fields(properties: object, more: object = {}): ToolDefinition {
  const required = Object.keys(properties);
  return { name: "t", inputSchema: { type: "object", properties, required, ...more } };
}

/** The bullets that a model reads; what the tool would run with if there are none. */
async function read(tool: ToolDefinition, sent: unknown): Promise<unknown> {
  const call = { id: "1", name: "t", arguments: sent };
  const admission = await contract.admit(call, { tool, conversationId: crypto.randomUUID() });
  if (admission.status === "admitted") return contract.check(tool, sent);
  if (admission.status === "ask") throw new Error("nobody is asked");
  return admission.result.content.split("\n").filter((line) => line.startsWith("- "));
}

const text = { type: "string" };
const text4 = z.string();
const json = z.preprocess(
  (sent) => (typeof sent === "string" ? JSON.parse(sent) : sent) as unknown,
  z.object({ a: z.number() }),
);
const action = {
  anyOf: ["navigate", "click"].map((key) => ({
    type: "object",
    properties: { [key]: { type: "object", properties: { index: { type: "integer" } } } },
    required: [key],
  })),
};
const closed = (name: string): object => ({
  type: "object",
  properties: { [name]: text },
  required: [name],
  additionalProperties: false,
});

describe("what a message says is right in meaning", () => {
  test.each<readonly [string, ToolDefinition, unknown, readonly string[]]>([
    [
      "digits as they were sent",
      fields({ v: text, w: { enum: ["3.9", "3.10", "3.1"] }, x: { type: "array", items: text } }),
      '{"v": 1.0, "w": 3.10, "x": [12e4567]}',
      [
        '- /v (VAL-002): 1.0; expected string; use "1.0"',
        '- /w (VAL-008): 3.10; expected one of "3.9", "3.10", "3.1"; use "3.10"',
        '- /x/0 (VAL-002): 12e4567; expected string; use "12e4567"',
      ],
    ],
    [
      "what a transform that throws has not said",
      { name: "t", validator: z.object({ filter: json, limit: z.number() }) },
      { filter: "a=1", limit: "5" },
      [
        "- (arguments) (VAL-016): The tool's validator could not run: Unexpected token 'a', \"a=1\" is not valid JSON",
        '- /filter (VAL-002): "a=1"; expected object with a',
        '- /limit (VAL-002): "5"; expected number; send 5 without quotes',
      ],
    ],
    [
      "one value that each branch wants otherwise",
      fields({
        of: {
          anyOf: [fields({ files: { type: "array" } }), fields({ files: text })].map(
            (one) => one.inputSchema,
          ),
        },
      }),
      { of: { files: null } },
      ["- /of/files (VAL-002): null; expected array or string"],
    ],
    [
      "branches of one key",
      fields({ action }),
      { action: { name: "click", index: 3 } },
      [
        '- /action (VAL-013): {"name": "click", "index": 3}; expected object with navigate, or with click; use {"click":{"index":3}}',
      ],
    ],
    [
      "branches of one key, with the arguments apart",
      fields({ action }),
      { action: { type: "click", args: { index: 3 } } },
      [
        '- /action (VAL-013): {"type": "click", "args": {"index": 3}}; expected object with navigate, or with click; use {"click":{"index":3}}',
      ],
    ],
    [
      "fields that exclude each other",
      fields({ to: { anyOf: [closed("phone"), closed("team")] } }),
      { to: { phone: "1", team: "x" } },
      ["- /to (VAL-014): Fields exclude each other; expected only one of phone, team"],
    ],
    [
      "an object without required fields",
      fields({ range: { type: "object", properties: { from: text, to: text } } }),
      { range: "a-b" },
      ['- /range (VAL-002): "a-b"; expected object with from, to'],
    ],
    [
      "a required field that may be null",
      fields({ command: text, cwd: { type: ["string", "null"], description: "Folder to run in" } }),
      { command: "ls" },
      [
        "- /cwd (VAL-001): missing; expected string or null (Folder to run in); send null if there is none",
      ],
    ],
    [
      "an object for JSON text",
      fields({
        of: {
          anyOf: [text, { type: "null" }],
          default: null,
          description: "JSON text of the fields",
        },
      }),
      { of: { summary: "x" } },
      [
        String.raw`- /of (VAL-002): {"summary": "x"}; expected string or null; send it as JSON text: "{\"summary\":\"x\"}"`,
      ],
    ],
    [
      "a flag, a number and a listed word under names of secrets",
      fields({
        verify_jwt: { type: "boolean" },
        secret_rotation_days: { type: "integer" },
        auth: { enum: ["basic", "bearer"] },
      }),
      { verify_jwt: "false", secret_rotation_days: "30", auth: "oauth" },
      [
        '- /auth (VAL-008): "oauth"; expected one of "basic", "bearer"',
        '- /secret_rotation_days (VAL-002): "30"; expected integer; send 30 without quotes',
        '- /verify_jwt (VAL-002): "false"; expected boolean; send false without quotes',
      ],
    ],
    [
      "a secret, whatever is expected in its place",
      fields({
        password: { type: "string", minLength: 9 },
        use_password: { type: "boolean" },
        otp: { type: "integer" },
        token: { enum: ["none"] },
      }),
      { password: "hunter2", use_password: "hunter2", otp: "123456", token: "a1b2c3d4" },
      [
        "- /otp (VAL-002): [redacted]; expected integer",
        "- /password (VAL-009): [redacted]; expected string, at least 9 characters",
        '- /token (VAL-008): [redacted]; expected "none"',
        "- /use_password (VAL-002): [redacted]; expected boolean",
      ],
    ],
    [
      "a field that is misspelt and wrong, by zod",
      { name: "t", validator: z.object({ question: z.string() }) },
      { questions: ["x"] },
      [
        '- /question (VAL-001): missing; expected string; rename "questions" to "question"',
        '- /question (VAL-002): ["x"]; expected string; use "x"',
      ],
    ],
    [
      "a date that JSON cannot express",
      { name: "t", validator: z.object({ when: z.date() }) },
      { when: "2026-01-31T09:30:00Z" },
      [
        '- /when (VAL-010): "2026-01-31T09:30:00Z"; expected what JSON cannot express; tell the user that this tool takes no date from you',
      ],
    ],
    [
      "types that JSON cannot express",
      {
        name: "t",
        validator: z.object({ a: z.map(z.string(), z.number()), b: z.bigint(), c: z.set(text4) }),
      },
      { a: { x: 1 }, b: 5, c: ["x"] },
      [
        '- /a (VAL-002): {"x": 1}; expected what JSON cannot express; tell the user that this tool takes no map from you',
        "- /b (VAL-002): 5; expected what JSON cannot express; tell the user that this tool takes no bigint from you",
        '- /c (VAL-002): ["x"]; expected what JSON cannot express; tell the user that this tool takes no set from you',
      ],
    ],
    [
      "an optional field that is misspelt, beside another fault",
      { name: "t", inputSchema: { properties: { path: text, newStr: text }, required: ["path"] } },
      { new_str: "x", note: "y" },
      [
        '- /new_str (VAL-005): unknown field; rename it to "newStr"',
        "- /path (VAL-001): missing; expected string",
      ],
    ],
    [
      "calls in a list",
      fields({ prompt: text, kind: text }, { additionalProperties: false }),
      { tasks: [{ prompt: "a", kind: "b" }] },
      [
        "- /kind, /prompt (VAL-001): missing; expected string",
        "- /tasks (VAL-005): unknown field; expected only prompt, kind; send the fields of each item one level up, one call for each",
      ],
    ],
    [
      "fields of an item, beside its list",
      {
        name: "t",
        inputSchema: {
          properties: {
            id: text,
            edits: { type: "array", items: { properties: { op: text, path: text } } },
          },
          additionalProperties: false,
        },
      },
      { id: "d", op: "add" },
      ['- /op (VAL-005): unknown field; expected only id, edits; move it into an item of "edits"'],
    ],
    [
      "tags of a union in a union",
      {
        name: "t",
        validator: z.object({
          r: z.discriminatedUnion("s", [
            z.object({ s: z.literal("ok") }),
            z.discriminatedUnion("code", [
              z.object({ s: z.literal("bad"), code: z.literal(1) }),
              z.object({ s: z.literal("bad"), code: z.literal(2) }),
            ]),
          ]),
        }),
      },
      { r: { s: "error" } },
      ['- /r/s (VAL-008): "error"; expected one of "ok", "bad"'],
    ],
    [
      "the names of a record",
      {
        name: "t",
        validator: z.object({ a: z.partialRecord(z.enum(["east", "west"]), z.number()) }),
      },
      { a: { esat: 1 } },
      [
        '- /a/esat (VAL-003): Constraint violated; expected field names: one of "east", "west"; rename it to "east"',
      ],
    ],
    [
      "a field that must not be sent",
      { name: "t", inputSchema: { properties: { a: text, b: text }, not: { required: ["b"] } } },
      { a: "x", b: "y" },
      ["- /b (VAL-014): Value is ruled out; expected nothing here; leave it out"],
    ],
  ])("%s", async (_, tool, sent, lines) => {
    expect(await read(tool, sent)).toEqual(lines);
  });

  test.each<readonly [string, object, object]>([
    [
      "a oneOf that no integer can pass",
      { oneOf: [{ type: "integer" }, { type: "number" }] },
      { v: 3 },
    ],
    ["an empty list of values", { type: "string", enum: [] }, { v: "x" }],
    ["a lower limit above the upper one", { type: "integer", minimum: 10, maximum: 5 }, { v: 7 }],
    ["a pattern that no listed value has", { enum: ["a", "b"], pattern: "^x" }, { v: "a" }],
    ["closed parts of allOf", { allOf: [closed("a"), closed("b")] }, { v: { a: "1", b: "2" } }],
    ["nullable beside allOf", { nullable: true, allOf: [text] }, { v: null }],
    ["a type with null itself", { type: ["string", null] }, { v: null }],
    ["types in one text", { type: "string|null" }, { v: "x" }],
    ["a type of Python", { type: "List[str]" }, { v: ["x"] }],
  ])("%s has one reading, and runs", async (_, field, sent) => {
    expect(await read(fields({ v: field }), sent)).toMatchObject({ status: "valid", input: sent });
  });

  test.each<readonly [object, unknown]>([
    [{ type: ["string", null] }, 5],
    [{ type: "string|null" }, 5],
    [{ type: "List[str]" }, 5],
    [{ nullable: true, allOf: [text] }, 5],
    [{ type: ["object", "null"], allOf: [closed("a"), closed("b")] }, 5],
  ])("%o refuses %s", async (field, sent) => {
    expect(await read(fields({ v: field }), { v: sent })).toMatchObject([
      /^- \/v \(VAL-002\): 5; exp/,
    ]);
  });
});

test("what JSON cannot express is said to the author once", async () => {
  const faults: unknown[] = [];
  const told = createContract({ logger: (entry) => faults.push(entry) });
  const tool = { name: "t", validator: z.object({ a: z.map(z.string(), z.number()) }) };
  for (const id of ["1", "2"])
    await told.admit({ id, name: "t", arguments: { a: {} } }, { tool, conversationId: id });
  const said = faults.filter((entry) => JSON.stringify(entry).includes("type-beyond-json"));
  expect(said).toHaveLength(1);
  expect(JSON.stringify(said)).toContain("/a");
});

describe("text that is not JSON, by what was done there", () => {
  const tool: ToolDefinition = { name: "t", inputSchema: { properties: { v: {} } } };
  test.each([
    ['{"v":2026-01-02}', "put strings in double quotes"],
    ['{"v":12:30}', "put strings in double quotes"],
    ['{"v":1.2.3}', "put strings in double quotes"],
    ['{"v":+5}', "write numbers without a plus"],
    ['t(text="a")', "send one JSON object and nothing else"],
    ['{"v":"a" /* note */}', "leave out comments"],
    [
      '{"v" => "a"}',
      "write it as strict JSON: names and strings in double quotes, a colon after each name, matching brackets",
    ],
    ["%7B%22v%22%3A1%7D", "send only the JSON object"],
    ['{"v": 1/6}', "write the result of a calculation"],
    [
      '{"v": "say "hi" to him"}',
      String.raw`write a double quote inside a string as in "say \"hi\""`,
    ],
    ['{"v":"a","v":"b"}', "send each name once"],
    ['{"v":{"a":[1,{"b":1,"b":2}]}}', "send each name once"],
  ])("%s: %s", async (sent, hint) => {
    const [line] = (await read(tool, sent)) as readonly string[];
    expect(line).toMatch(/^- \(arguments\) \(VAL-004\): /);
    expect(line?.endsWith(`; ${hint}`)).toBe(true);
  });

  test.each([
    ['{"v":1,"v":1}', { v: 1 }],
    ['{"v":{"a":1, "b":2},"v":{"a":1,"b":2}}', { v: { a: 1, b: 2 } }],
    [String.raw`{"v":"a\":b\":c"}`, { v: 'a":b":c' }],
    ['[{"v":1},{"v":2}]', undefined],
  ])("a name that comes again with the same value is not a fault: %s", async (sent, input) => {
    const found = await read(tool, sent);
    if (input) expect(found).toMatchObject({ status: "valid", input });
    else expect(String(found)).not.toContain("each name once");
  });
});
