import { describe, expect, test } from "vitest";
import { CUTTING_FINISH_REASONS } from "./finish-reason.ts";
import { type ParseOptions, type ParsedArguments, parseArguments } from "./parse-arguments.ts";
import { inWords } from "../testing/in-words.ts";

const DEFAULTS: ParseOptions = { repairJson: true, closeDangling: false };

function parse(raw: unknown, options: Partial<ParseOptions> = {}): ParsedArguments {
  return parseArguments(raw, { ...DEFAULTS, ...options });
}

/** The value if it was accepted, otherwise the code. */
function outcome(raw: unknown, options?: Partial<ParseOptions>): unknown {
  const parsed = parse(raw, options);
  return parsed.ok ? parsed.value : parsed.finding.code;
}

const WRITE_FILE = JSON.stringify({
  path: 'src/grüße/naïve "quoted".ts',
  content: 'const a = "x\\n";\n\tif (a) { b([1, 2]); } // 🚀 \u2028 \ud83d',
  edits: [[1, [2.5, -3e-7]], [{ from: "{", to: "]" }], [], {}],
  create: true,
  mode: null,
});
const TRANSFER = '{"to": "bob", "limits": [10, 200, 3000], "fee": -0.25, "amount": 1000}';

describe("arguments that need no repair", () => {
  test.each([
    ['{"path":"a.txt"}', { path: "a.txt" }],
    [' {"n": [1, 2.5e3]}\n', { n: [1, 2500] }],
    ["[1]", [1]],
    ["null", null],
    ["12", 12],
  ])("parses %j natively", (text, value) => {
    expect(parse(text)).toEqual({ ok: true, value, repairs: [] });
  });

  test("shares one frozen empty list of repairs", () => {
    const [first, second] = [parse("{}"), parse({ a: 1 })];
    expect(first.repairs).toBe(second.repairs);
    expect(Object.isFrozen(first.repairs)).toBe(true);
  });

  test.each([undefined, "", " \n\t", "\uFEFF"])("reads %j as no arguments", (raw) => {
    expect(outcome(raw)).toEqual({});
  });

  test.each([null, 5, true, [1], { path: "a.txt" }])(
    "passes the value %j through untouched",
    (raw) => {
      expect(outcome(raw)).toBe(raw);
    },
  );

  test("does not read a host's value", () => {
    const hostile = {
      get path(): string {
        throw new Error("no");
      },
    };
    expect(outcome(hostile)).toBe(hostile);
  });
});

describe("mistakes that models make", () => {
  const repairable: readonly [mistake: string, text: string, value: unknown][] = [
    ["a fence", '```json\n{"path":"a.txt"}\n```', { path: "a.txt" }],
    ["a fence that never closes", '```json\n{"path":"a.txt"}', { path: "a.txt" }],
    ["a fence with a fence inside", '```\n{"path":"```sh"}\n```', { path: "```sh" }],
    ["a byte order mark", '\uFEFF{"path":"a.txt"}', { path: "a.txt" }],
    ["a comma after the root", '{"path":"a.txt"},', { path: "a.txt" }],
    ["trailing commas", '{"tags":["a","b",],}', { tags: ["a", "b"] }],
    [
      "missing commas",
      '{"path":"a.txt" "mode":1 "tags":["a" "b"]}',
      { path: "a.txt", mode: 1, tags: ["a", "b"] },
    ],
    ["a missing comma at a line end", '{"path":"a.txt"\n"mode":1}', { path: "a.txt", mode: 1 }],
    [
      "a missing comma between objects",
      '{"edits":[{"line":1}{"line":2}]}',
      { edits: [{ line: 1 }, { line: 2 }] },
    ],
    [
      "a Python dict",
      "{'on': True, 'off': False, 'mode': None}",
      { on: true, off: false, mode: null },
    ],
    ["single quotes with a double inside", `{'say': 'a "b" c'}`, { say: 'a "b" c' }],
    ["bare keys", "{path: 'a.txt', max_len: 5}", { path: "a.txt", max_len: 5 }],
    ["smart quotes", "{“path”: “a.txt”}", { path: "a.txt" }],
    ["comments", '{"url":"http://x", // it\'s\n"n":1 /* }} */}', { url: "http://x", n: 1 }],
    ["raw newlines in a string", '{"content":"a\n\tb"}', { content: "a\n\tb" }],
    ["an escaped apostrophe", String.raw`{"text":"it\'s"}`, { text: "it's" }],
    ["no-break spaces", '{\u00a0"n": 1}', { n: 1 }],
  ];
  test.each(repairable)("repairs %s", (_, text, value) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ ok: true, value });
    expect(parsed.repairs.length).toBeGreaterThan(0);
    expect(outcome(text, { repairJson: false })).toBe("VAL-004");
  });

  const refused: readonly [mistake: string, text: string, position: number][] = [
    ["two objects", '{"path":"a"}{"path":"b"}', 12],
    ["two objects on two lines", '{"path":"a"}\n{"path":"b"}', 13],
    ["two fences", '```\n{"n":1}\n```\n```\n{"n":2}\n```', 20],
    ["unescaped quotes", '{"text":"He said "hi" to me","n":1}', 17],
    ["an unescaped inch", '{"size":"27""}', 11],
    ["a stray quote", '{"file_name":"data??"?"}', 20],
    ["backticks", "{'labels': `axis`}", 11],
    ["prose before", 'Here\'s the call:\n{"path":"a.txt"}', 0],
    ["prose behind", '{"path":"a.txt"}\nLet me know!', 17],
    ["prose and a fence", 'Sure:\n```\n{"n":1}\n```\nDone.', 0],
    ["a wrapping tag", '<tool_call>{"path":"a.txt"}</tool_call>', 0],
    ["bare prose", "I will not call a tool.", 0],
    ["prose with brackets of its own", 'As in [1]: {"n":1}', 9],
    ["members behind the root", '{"a":1}, "b":2', 7],
    ["members behind the root, without a comma", '{"a":1} "b":2', 10],
    ["something behind a comma", '{"a":1}, b', 7],
    ["members without braces", '"a":{"b":1}', 0],
    ["a superfluous brace", '{"a":{"b":1},"c":2}}', 19],
    ["a wrong bracket", '{"a":[1}}', 7],
    ["NaN", '{"n":NaN}', 5],
    ["Infinity", '{"n":-Infinity}', 5],
    ["undefined", '{"n":undefined}', 5],
    ["a variable", '{"path":filePath}', 8],
    ["a missing value", '{"n":}', 5],
    ["a hole", "[1,,2]", 3],
    ["a no-break space behind a number", '{"n":12\u00a0,"m":1}', 7],
    ["comments without a gap", '{"a":1/* b *//* c */}', 13],
    ["an elision", '{"ids":[1,2,...]}', 12],
    ["a missing colon", '{"n" true}', 3],
    ["a grouped number", '{"n":1,000}', 7],
    ["a hexadecimal number", '{"n":0x1F}', 5],
    ["a sum", '{"n":1 + 2}', 7],
    ["a concatenation", '{"s":"a" + "b"}', 7],
    ["a Windows path", String.raw`{"path":"C:\dir"}`, 11],
    ["an escaped dollar", String.raw`{"cmd":"echo \$HOME"}`, 13],
    ["a bare apostrophe in single quotes", "{'text': 'it's here'}", 12],
    ["a lost quote before a bare key", '{"path":"a.txt" mode:"r"}', 14],
    ["triple quotes", '["""abc"""]', 2],
    ["escaped JSON", String.raw`{\"n\":1}`, 1],
  ];
  test.each(refused)("rejects %s rather than guess", (_, text, position) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({
      ok: false,
      finding: { code: "VAL-004", path: [], reason: { kind: "invalid-json", offset: position } },
    });
  });

  test("reports position, line and column, and no input", () => {
    const parsed = parse('{\n  "password": "hunter2",\n  "n": hunter2\n}');
    expect(parsed.repairs).toEqual([]);
    expect(parsed.ok ? undefined : inWords(parsed.finding)).toEqual({
      code: "VAL-004",
      path: [],
      message: "Invalid JSON at position 34 (line 3, column 8)",
      expected: "one JSON object",
      hint: "write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array",
    });
  });

  test.each([
    ['\n{"n":1', "VAL-011"],
    ["\n}", "Invalid JSON at position 1 (line 2, column 1)"],
    ["}", "Invalid JSON at position 0 (line 1, column 1)"],
    ['{"n":1,}', "Invalid JSON at position 7 (line 1, column 8)"],
    ['{"n":1} x', "Invalid JSON at position 8 (line 1, column 9)"],
    ['Sure: {"n":1}', "Invalid JSON at position 0 (line 1, column 1)"],
  ])("distinguishes truncated from malformed without repairs: %j", (text, expected) => {
    const parsed = parse(text, { repairJson: false });
    const said = parsed.ok ? [] : [parsed.finding.code, inWords(parsed.finding).message];
    expect(said.map((one) => one?.startsWith(expected))).toContain(true);
  });

  test.each<[kind: string, text: string, near: string, hint: string]>([
    [
      "a division",
      '{"n": 20, "p": 1/6}',
      '{"n": 20, "p": 1>>>/6}',
      "write the result of a calculation",
    ],
    [
      "a product and a sum",
      '{"total": 6*12+2}',
      '{"total": >>>6*12+2}',
      "write the result of a calculation",
    ],
    [
      "a call of a method",
      '{"s": "A".repeat(9)}',
      '{"s": "A>>>".repeat(9)}',
      "write the result of a calculation",
    ],
    [
      "a call of a function",
      '{"body": JSON.stringify({"a": 1})}',
      '{"body": >>>JSON.stringify({...',
      "write the result of a calculation",
    ],
    [
      "a string in single quotes with an apostrophe",
      `{"league": 'ATP (Men's Singles)'}`,
      `{"league": 'ATP (Men>>>'s Singles)'}`,
      "put strings in double quotes",
    ],
    ["backticks", '{"a": `b`}', '{"a": >>>`b`}', "put strings in double quotes"],
    ["another bracket", '{"mode":"engage"]}', '{"mode":"engage">>>]}', '"]" does not close "{"'],
    ["a bracket inside", '{"a":[1}}', '{"a":[1>>>}}', '"}" does not close "["'],
    [
      "reasoning instead of arguments",
      "We need to send the message to USR002.",
      ">>>We need to send ...",
      "send only the JSON object",
    ],
    [
      "reasoning that leaked in",
      '{"id": 2????\n\nThe user wants to close the ticket',
      '{"id": >>>2???? The user ...',
      "send only the JSON object",
    ],
    [
      "prose behind the object",
      '{"n":1} That should do it.',
      '{"n":1} >>>That should do i...',
      "send only the JSON object",
    ],
    [
      "a stray quote",
      '{"file_name": "data??"?"}',
      '{"file_name": "data??>>>"?"}',
      String.raw`write a double quote inside a string as in "say \"hi\""`,
    ],
  ])("says where and what: %s", (_, text, near, hint) => {
    const parsed = parse(text);
    const said = parsed.ok ? undefined : inWords(parsed.finding);
    expect([said?.message?.replace(/^.*?\): /, ""), said?.hint]).toEqual([near, hint]);
  });

  test.each([
    [`{"items":[${"1 ".repeat(60_000)}]}`, "a repair that would take long"],
    [`${"[".repeat(101)}1,${"]".repeat(101)}`, "deep nesting"],
    [`{"content":"${"x".repeat(131_072)}",}`, "a long text"],
  ])("leaves %#: $1 alone", (text) => {
    expect(outcome(text)).toBe("VAL-004");
  });
});

describe("repairs are counted, never quoted", () => {
  test.each([
    ['```json\n{"n":1,}\n```', "fence 0 -8 +0, syntax 14 -1 +0, fence 16 -4 +0"],
    ['\uFEFF{"n":1}', "syntax 0 -1 +0"],
    ['{"a":1 "b":2}', "syntax 6 -0 +1"],
    ["{'a':1}", "syntax 1 -3 +3"],
  ])("%j", (text, expected) => {
    const counted = parse(text).repairs.map(
      ({ step, offset, removed, inserted }) => `${step} ${offset} -${removed} +${inserted}`,
    );
    expect(counted.join(", ")).toBe(expected);
  });
});

describe("truncated arguments", () => {
  const texts = [WRITE_FILE, TRANSFER];
  test.each(texts)("never accepts truncated arguments, wherever they end: %j", (text) => {
    for (let end = 1; end < text.length; end += 1) {
      const prefix = text.slice(0, end);
      expect([prefix, outcome(prefix), outcome(prefix, { repairJson: false })]).toEqual([
        prefix,
        "VAL-011",
        "VAL-011",
      ]);
    }
  });

  test.each(texts)("never accepts truncated arguments in a fence: %j", (text) => {
    for (const lead of ["```json\n", "```\n"]) {
      const cuts = Array.from({ length: lead.length + text.length - 1 }, (_, cut) =>
        (lead + text).slice(0, cut + 1),
      );
      for (const prefix of cuts) expect(["VAL-004", "VAL-011"]).toContain(outcome(prefix));
      expect(outcome(lead + text)).toEqual(JSON.parse(text));
    }
  });

  test.each([
    "{'to': 'bob', 'note': \"it's {fine}\", 'amount': 1000, 'really': True,}",
    '{"text": "He said hi", /* }} */ "ids": [1 2 3], path: "a"}',
    "{“to”: “bob”, “amount”: 10}",
  ])("never accepts truncated arguments that would need repairs: %j", (text) => {
    expect(parse(text).ok).toBe(true);
    for (let end = 1; end < text.length; end += 1) {
      const prefix = text.slice(0, end);
      expect(["VAL-004", "VAL-011"]).toContain(outcome(prefix));
    }
  });

  test.each([
    "tru",
    "fals",
    "n",
    "-",
    "1.",
    "2e",
    "-0.5E+",
    '"abc',
    '"say \\"hi',
    String.raw`"{\"a\":1}`,
  ])("reports the scalar %j as truncated", (text) => {
    expect(outcome(text)).toBe("VAL-011");
  });

  test.each([
    ["NUL", '{"a":\u0000'],
    ["an open comment", '{"a":1 /* and'],
    ["an open second object", '{"a":1}\n{"b":'],
    ["a missing end quote", '{"path":"a}'],
    ["an open bracket before a fence", '```json\n{"a":1\n```'],
  ])("reports %s as truncated", (_, text) => {
    expect(outcome(text)).toBe("VAL-011");
  });

  test("VAL-011 gives the length of the text and the fix", () => {
    const parsed = parse('{"to":"bob","amount":10');
    expect(parsed.repairs).toEqual([]);
    expect(parsed.ok ? undefined : inWords(parsed.finding)).toEqual({
      code: "VAL-011",
      path: [],
      message: "Arguments were cut off after 23 characters",
      expected: "complete JSON",
      hint: "send the JSON to its end, or less in one call if your output was cut",
    });
  });
});

describe("closeDangling", () => {
  test.each<[string, unknown]>([
    ['{"to":"bob"', { to: "bob" }],
    ['{"ok":true', { ok: true }],
    ['{"a":[{"b":null}', { a: [{ b: null }] }],
    ['{"a":"x" // done\n', { a: "x" }],
    ["{'ok': True", { ok: true }],
  ])("closes %j", (text, value) => {
    const parsed = parse(text, { closeDangling: true });
    expect(parsed).toMatchObject({ ok: true, value });
    expect(parsed.repairs.at(-1)).toMatchObject({ step: "close", offset: text.length, removed: 0 });
  });

  test.each([
    '{"amount":10',
    '{"amount":10 ',
    '{"to":"bo',
    '{"to"',
    '{"to":',
    '{"to":"bob",',
    '{"ids":[',
    '{"ok":tru',
    '{"to":"bob" // done',
    '{"to":"bob", /*',
    `${'{"a":'.repeat(200)}"x"`,
  ])("does not close %j", (text) => {
    expect(outcome(text, { closeDangling: true })).toBe("VAL-011");
  });

  test("without repairJson, closes only what is then JSON", () => {
    expect(outcome('{"ok":true', { closeDangling: true, repairJson: false })).toEqual({ ok: true });
    expect(outcome("{'ok':true", { closeDangling: true, repairJson: false })).toBe("VAL-011");
  });
});

describe("finish reasons", () => {
  test.each([...CUTTING_FINISH_REASONS, "MAX_TOKENS", "Length", "content-filter"])(
    "%s means truncated",
    (finishReason) => {
      expect(outcome("{}", { finishReason })).toBe("VAL-011");
    },
  );

  test.each(["stop", "tool_calls", "tool-calls", "end_turn", "STOP", "", undefined])(
    "%s does not",
    (finishReason) => {
      expect(outcome("{}", { finishReason })).toEqual({});
      expect(outcome({}, { finishReason })).toEqual({});
    },
  );

  test.each<[unknown, unknown]>([
    ['{"path":"a.txt"}', { path: "a.txt" }],
    ["[1]", [1]],
    ["{}", "VAL-011"],
    ["[]", "VAL-011"],
    ["", "VAL-011"],
    [undefined, "VAL-011"],
    ["3", "VAL-011"],
    ['"a.txt"', "VAL-011"],
    ['{"path":"a.txt",}', { path: "a.txt" }],
    ['```\n{"path":"a.txt"}', { path: "a.txt" }],
    ['{"path":"a.txt",', "VAL-011"],
    ["{ }x", "VAL-011"],
    [{ path: "a.txt" }, "VAL-011"],
  ])("reads %j as %j", (raw, expected) => {
    expect(outcome(raw, { finishReason: "length", closeDangling: true })).toEqual(expected);
  });
});

describe("values that a host parsed itself", () => {
  const value = { to: "bob", note: "hel" };
  test.each<[string, string | undefined, unknown]>([
    ['{"to":"bob","note":"hel', undefined, "VAL-011"],
    ['{"to":"bob","note":"hel"}', undefined, value],
    ['{"to":"bob","note":"hel",}', undefined, value],
    ["to: bob, note: hel", undefined, value],
    ['{"to":bob,"note":{"text":"hel"}', undefined, "VAL-011"],
    ['{"to":"bob"}{"note":"hel', undefined, "VAL-011"],
    ["", undefined, value],
    ['{"to":"bob","note":"hel"}', "length", value],
    ['{"to":"bob","note":"hel",}', "length", "VAL-011"],
    ["{}", "length", "VAL-011"],
    ["", "length", "VAL-011"],
  ])("with the raw text %j and finish reason %s", (rawText, finishReason, expected) => {
    expect(outcome(value, { rawText, finishReason })).toEqual(expected);
    expect(outcome(JSON.stringify(value), { rawText, finishReason })).toEqual(expected);
  });

  test("a host that could not parse passes the raw text", () => {
    expect(outcome(undefined, { rawText: '{"to":"bob",}' })).toEqual({ to: "bob" });
    expect(outcome(undefined, { rawText: '{"to":"bo' })).toBe("VAL-011");
  });
});

test.each([
  '{"__proto__":{"admin":true},"constructor":1}',
  '{"__proto__":{"admin":true},"constructor":1,}',
  "{__proto__:{'admin':True},constructor:1}",
  '```\n{"__proto__":{"admin":true},"constructor":1}\n```',
])("keeps __proto__ as data: %j", (text) => {
  const value = outcome(text) as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(value["admin"]).toBeUndefined();
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});
