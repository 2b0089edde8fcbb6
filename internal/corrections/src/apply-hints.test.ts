import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ContractOptions,
  type MessageStyle,
  type ValidationError,
  createContract,
} from "@toolcontract/core";
import { type Correction, applyHints } from "./apply-hints.ts";
import { followHints } from "./follow-hints.ts";

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

async function answerTo(
  sent: string,
  style: MessageStyle,
  options: ContractOptions = {},
): Promise<string> {
  const contract = createContract({
    interpreter: true,
    logger: false,
    unwrapStrings: false,
    format: { style },
    ...options,
  });
  const tool = { name: "write_file", inputSchema: WRITE_FILE };
  const call = { id: "call_1", name: "write_file", arguments: sent };
  const { result } = await contract.handle(call, {
    tool,
    conversationId: "one",
    execute: () => "ran",
  });
  return result.content;
}

/** The text of a correction, and of each change the place with its hint. */
function shown(correction: Correction | undefined): readonly string[] | undefined {
  return (
    correction && [
      correction.text,
      ...correction.changes.map(({ place, hint = "the model" }) => `${place}: ${hint}`),
    ]
  );
}

describe.each(["standard", "compact"] as const)("after a message in the %s style", (style) => {
  test.each<[string, sent: string, text: string, ...changes: string[]]>([
    ["a misspelt key is renamed", '{"pth":"a.md"}', '{"path":"a.md"}', '/pth: rename it to "path"'],
    [
      "a misspelt value is replaced",
      '{"path":"a","encoding":"uft8"}',
      '{"path":"a","encoding":"utf-8"}',
      '/encoding: use "utf-8"',
    ],
    [
      "a number in quotes loses them",
      '{"path":"a","position":{"line":"4"}}',
      '{"path":"a","position":{"line":4}}',
      "/position/line: send 4 without quotes",
    ],
    [
      "a misspelt key takes its value along",
      '{"path":"a","postion":{}}',
      '{"path":"a","position":{}}',
      '/postion: rename it to "position"',
    ],
    [
      "a single value is put in an array",
      '{"path":"a","lines":7}',
      '{"path":"a","lines":[7]}',
      "/lines: put it in an array",
    ],
    [
      "JSON in a string is taken out",
      '{"path":"a","position":"{\\"line\\":4}"}',
      '{"path":"a","position":{"line":4}}',
      "/position: send the object itself, not a JSON string",
    ],
    [
      "a needless field is left out",
      '{"path":"a","reason":"asked to"}',
      '{"path":"a"}',
      "/reason: leave it out",
    ],
    [
      "a list of one object is taken out",
      '[{"path":"a"}]',
      '{"path":"a"}',
      "(arguments): send the object itself, without an array around it",
    ],
    [
      "broken JSON is written as JSON",
      '{"path":a,"content":"abc"}',
      '{"path":"a","content":"abc"}',
      "(arguments): write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
    ],
    ["line breaks stay", '{\n  "pth": "a"\n}', '{\n  "path": "a"\n}', '/pth: rename it to "path"'],
    [
      "what the contract repaired stays as it read it",
      "```json\n{pth: 'a'}\n```",
      '{\n  "path": "a"\n}',
      '/pth: rename it to "path"',
    ],
    [
      "a missing field is left to the model",
      '{"encodin":"ascii"}',
      '{"encoding":"ascii","path":"<path: the model fills this in>"}',
      '/encodin: rename it to "encoding"',
      "/path: the model",
    ],
    [
      "a value that no hint names is left to the model, whatever its type",
      '{"pth":"a","since":"soon","id":"x","content":"x","lines":{"a":1},"position":[1],"encoding":"?"}',
      '{"since":"<since: the model fills this in>","id":"<id: the model fills this in>","content":"<content: the model fills this in>","lines":["<lines: the model fills this in>"],"position":{"line":"<line: the model fills this in>"},"encoding":"<encoding: the model fills this in>","path":"a"}',
      "/content: the model",
      "/encoding: the model",
      "/id: the model",
      "/lines: the model",
      "/position: the model",
      '/pth: rename it to "path"',
      "/since: the model",
    ],
    [
      "an item of an array is named by its field",
      '{"pth":"a","lines":["x"]}',
      '{"lines":["<lines: the model fills this in>"],"path":"a"}',
      "/lines/0: the model",
      '/pth: rename it to "path"',
    ],
  ])("%s", async (_, sent, ...expected) => {
    expect(shown(applyHints(sent, await answerTo(sent, style)))).toEqual(expected);
  });

  test.each([
    ["the call ran", '{"path":"a"}'],
    ["no hint names a change", '{"content":"abc"}'],
    ["the hint is an advice", '{"path":"a","since":"2026-02-30"}'],
    ["the arguments were cut off", '{"path":"a","content":"abc'],
    ["the arguments were cut off and are broken", '{"path":a,"content":"a } b }'],
    ["there are two objects to choose from", '{"path":"a"}{"path":"b"}'],
    ["there is no object", '"a"'],
  ])("nothing changes if %s", async (_, sent) => {
    expect(applyHints(sent, await answerTo(sent, style))).toBeUndefined();
  });
});

const BROKEN = '{"path": a.md, "content": "{ a } and [ b ], \\"c\\" }", "lines": [1, 2]}';

test("broken JSON is completed nowhere that it may be cut", async () => {
  const message = await answerTo(BROKEN, "standard");
  expect(applyHints(BROKEN, message)?.text).toBe(
    '{"path":"a.md","content":"{ a } and [ b ], \\"c\\" }","lines":[1,2]}',
  );
  for (let length = 1; length < BROKEN.length; length += 1) {
    const sent = BROKEN.slice(0, length);
    expect([sent, applyHints(sent, message)]).toEqual([sent, undefined]);
    expect([sent, applyHints(sent, await answerTo(sent, "compact"))]).toEqual([sent, undefined]);
  }
});

test("nothing changes after the last attempt", async () => {
  const sent = '{"pth":"a.md"}';
  expect(applyHints(sent, await answerTo(sent, "standard", { maxAttempts: 1 }))).toBeUndefined();
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
      hint: "send 4 without quotes",
    },
  ];
  expect(followHints({ pos: { line: "4" } }, errors)).toEqual({ at: { line: 4 } });
});

test.each([
  ["a message of another package", '{"path":1}', "Invalid input: expected string, received number"],
  ["no message", '{"path":1}', ""],
  ["a tool that is like no other", "{}", unknownTool("")],
])("nothing changes after %s", (_, sent, message) => {
  expect(applyHints(sent, message)).toBeUndefined();
});

test("a misspelt tool is another tool with the same arguments", () => {
  const message = unknownTool('\n  Hint: use "write_file"');
  expect(shown(applyHints("{}", message))).toEqual(["{}", '(tool): use "write_file"']);
});

function unknownTool(hint: string): string {
  return `Validation failed for tool 'wirte_file' (attempt 1/3):\n\nErrors:\n• (arguments) (VAL-012): Unknown tool 'wirte_file'\n  Expected: one of write_file${hint}\n\nCall one of the listed tools instead.`;
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
      const corrected = followHints(args, errors);
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
        const corrected = applyHints(sent, damaged)?.text;
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
        const corrected = applyHints(sent, await answerTo(sent, style))?.text;
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
  expect(applyHints(sent, await answerTo(sent, "standard"))).toBeUndefined();
});
