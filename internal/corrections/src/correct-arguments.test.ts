import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MessageStyle, type ValidationError, createContract } from "@toolcontract/core";
import { correctArguments } from "./correct-arguments.ts";
import { correctErrors } from "./correct-errors.ts";

const WRITE_FILE = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string", minLength: 3 },
    encoding: { enum: ["utf-8", "ascii"] },
    lines: { type: "array", items: { type: "integer" } },
    since: { type: "string", format: "date" },
    position: { type: "object", properties: { line: { type: "integer" } }, required: ["line"] },
    id: { type: "string", pattern: "^[A-Z]{3}$" },
  },
  required: ["path"],
  additionalProperties: false,
};

async function answerTo(sent: string, style: MessageStyle): Promise<string> {
  const contract = createContract({ interpreter: true, logger: false, format: { style } });
  const tool = { name: "write_file", inputSchema: WRITE_FILE };
  const call = { id: "call_1", name: "write_file", arguments: sent };
  const { result } = await contract.handle(call, {
    tool,
    conversationId: "one",
    execute: () => "ran",
  });
  return result.content;
}

describe.each(["standard", "compact"] as const)("after a message in the %s style", (style) => {
  test.each([
    ["a misspelt key is renamed", '{"pth":"a.md"}', '{"path":"a.md"}'],
    [
      "a misspelt value is replaced",
      '{"path":"a","encoding":"uft8"}',
      '{"path":"a","encoding":"utf-8"}',
    ],
    [
      "a number in quotes loses them",
      '{"path":"a","position":{"line":"4"}}',
      '{"path":"a","position":{"line":4}}',
    ],
    [
      "a field without a hint is added",
      '{"content":"abc"}',
      '{"content":"abc","path":"example text"}',
    ],
    [
      "a misspelt key takes its value along",
      '{"path":"a","postion":{}}',
      '{"path":"a","position":{}}',
    ],
    ["a single value is put in an array", '{"path":"a","lines":7}', '{"path":"a","lines":[7]}'],
    [
      "a value without a hint is made up",
      '{"path":"a","since":"soon"}',
      '{"path":"a","since":"2026-01-31"}',
    ],
    [
      "a string is written to fit its pattern",
      '{"path":"a","id":"abc"}',
      '{"path":"a","id":"ABC"}',
    ],
    ["a short string is filled", '{"path":"a","content":"x"}', '{"path":"a","content":"x.."}'],
    ["an unknown field is left out", '{"path":"a","zzz":1}', '{"path":"a"}'],
    [
      "broken JSON is written as JSON",
      '{"path":a,"content":"abc"}',
      '{"path":"a","content":"abc"}',
    ],
    ["cut JSON is completed", '{"path":"a","content":"abc', '{"path":"a","content":"abc"}'],
    ["two objects become the first", '{"path":"a"}{"path":"b"}', '{"path":"a"}'],
    ["a list of one object is taken out", '[{"path":"a"}]', '{"path":"a"}'],
    ["line breaks stay", '{\n  "pth": "a"\n}', '{\n  "path": "a"\n}'],
  ])("%s", async (_, sent, expected) => {
    expect(correctArguments(sent, await answerTo(sent, style))).toBe(expected);
  });

  test("nothing changes if the call ran", async () => {
    const sent = '{"path":"a"}';
    expect(correctArguments(sent, await answerTo(sent, style))).toBeUndefined();
  });
});

test("what is inside a misspelt key is corrected before the key is renamed", () => {
  const errors: readonly ValidationError[] = [
    {
      errorCode: "VAL-005",
      fieldPath: "/pos",
      message: "Unknown field 'pos'",
      severity: "error",
      hint: 'rename it to "at"',
    },
    {
      errorCode: "VAL-002",
      fieldPath: "/pos/line",
      message: "Type mismatch: expected integer, got string",
      severity: "error",
      expectedValue: "integer",
    },
  ];
  expect(correctErrors({ pos: { line: "4" } }, errors)).toEqual({ at: { line: 4 } });
});

test.each([
  ["a message of another package", '{"path":1}', "Invalid input: expected string, received number"],
  ["no message", '{"path":1}', ""],
  ["a tool whose name was wrong", "{}", unknownTool()],
])("nothing changes after %s", (_, sent, message) => {
  expect(correctArguments(sent, message)).toBeUndefined();
});

function unknownTool(): string {
  return "Validation failed for tool 'wirte_file' (attempt 1/3):\n\nErrors:\n• (arguments) (VAL-012): Unknown tool 'wirte_file'\n  Expected: one of write_file\n  Hint: use \"write_file\"\n\nCorrect these and call the right tool with all arguments.";
}

const place = fc.oneof(
  fc.constantFrom("", "/a", "/a/b", "/list/0", "/list/4294967294", "/__proto__", "/a/toString"),
  fc.string().map((key) => `/${key}`),
);
const words = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "array of strings, at least 99999999999 items",
    "string, at least 99999999999 characters",
    'string matching "(a+)+$"',
    'string matching "["',
    'one of "toString", {}',
    "integer from 1e400 to -1",
  ),
);
const hint = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'use "cut off…',
    'rename it to "x',
    'rename "a" to "__proto__"',
    'move it into "list"',
    "put it in an array",
    "send the array itself, without an object around it",
    'send the fields of "a" one level up',
    "send the object itself, not a JSON string",
    'add the time zone, such as "Z"',
    "leave it out",
    "send an array, such as [",
  ),
);
const error: fc.Arbitrary<ValidationError> = fc.record(
  {
    errorCode: fc.constantFrom("VAL-001", "VAL-002", "VAL-005", "VAL-015", "VAL-012"),
    fieldPath: place,
    message: fc.oneof(fc.string(), fc.constantFrom("Required field 'a' is missing")),
    severity: fc.constant("error" as const),
    expectedValue: words,
    hint,
  },
  { requiredKeys: ["errorCode", "fieldPath", "message", "severity"] },
);

test("any errors of any arguments are corrected without a throw, and the result is JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(error, { maxLength: 4 }), (args, errors) => {
      const corrected = correctErrors(args, errors);
      expect(() => JSON.stringify(corrected)).not.toThrow();
    }),
  );
});

test("a damaged message gives a correction that is JSON, or none", async () => {
  const sent = '{"pth":"a.md","encoding":"uft8","position":{"line":"4"},"lines":7}';
  const message = await answerTo(sent, "standard");
  let corrections = 0;
  fc.assert(
    fc.property(
      fc.nat(message.length),
      fc.nat(3),
      fc.string({ maxLength: 3 }),
      (at, length, added) => {
        const damaged = message.slice(0, at) + added + message.slice(at + length);
        const corrected = correctArguments(sent, damaged);
        if (corrected === undefined) return;
        corrections += 1;
        expect(() => JSON.parse(corrected) as unknown).not.toThrow();
      },
    ),
  );
  expect(corrections).toBeGreaterThan(10);
});

test("any string gets a correction that is JSON, or none, after the answer to it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"path":${json}`),
      ),
      fc.constantFrom<MessageStyle>("standard", "compact"),
      async (sent, style) => {
        const corrected = correctArguments(sent, await answerTo(sent, style));
        if (corrected !== undefined) expect(() => JSON.parse(corrected) as unknown).not.toThrow();
      },
    ),
  );
});

test.each([
  ["nested deeper than recursion reaches", "[".repeat(100_000) + "]".repeat(100_000)],
  ["broken and nested deeply", `{"path":${"[".repeat(20_000)}`],
  ["broken and too long to repair", `{"path":"${"a".repeat(200_000)}`],
])("arguments that are %s are left as they are", async (_, sent) => {
  expect(correctArguments(sent, await answerTo(sent, "standard"))).toBeUndefined();
});
