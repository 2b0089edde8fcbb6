import type { JsonSchema } from "@toolcontract/explain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseRejection } from "../message/index.ts";
import { createContract } from "./create-contract.ts";

type Row = readonly [title: string, properties: Fields, sent: unknown, ...lines: readonly string[]];
type Fields = Readonly<Record<string, Field>>;
type Field = { readonly optional?: boolean; readonly [keyword: string]: unknown };

const text = { type: "string" };
const list = { type: "array", items: text };
const wide = { type: "integer" };

/** Of an open object whose fields are all required, unless a field is `optional`. */
function objectOf(properties: Fields): { readonly [keyword: string]: unknown } {
  const names = Object.entries(properties).filter(([, field]) => field.optional !== true);
  return { type: "object", properties, required: names.map(([name]) => name) };
}

const contract = createContract({ logger: false });

/** The errors as `code place | expected | hint`, without absent parts. */
function linesOf(inputSchema: JsonSchema, sent: unknown, of = contract): readonly string[] {
  const checked = of.check({ name: "tool", inputSchema }, sent);
  if (checked.status === "valid") return ["valid"];
  return checked.errors.map(({ errorCode, fieldPath, expectedValue, hint }) =>
    [`${errorCode} ${fieldPath}`, expectedValue, hint]
      .filter((part) => part !== undefined)
      .join(" | "),
  );
}

function rowsOf(rows: readonly Row[]) {
  return rows.map(([title, properties, sent, ...lines]) => ({ title, properties, sent, lines }));
}

describe("what real models send", () => {
  const bareTypes: readonly Row[] = [
    [
      "no idea of what an object holds",
      {
        gradeDict: {
          type: "object",
          description: "A dictionary: keys are subjects, values are scores. Use it.",
        },
      },
      {},
      "VAL-001 /gradeDict | object (A dictionary: keys are subjects, values are scores)",
    ],
    [
      "a missing field that has a usual value",
      { url: { ...text, default: "http://ip-api.com/json", description: "The endpoint" } },
      {},
      'VAL-001 /url | string, usually "http://ip-api.com/json" (The endpoint)',
    ],
    [
      "a word for a number",
      { angle: { type: "number", description: "The angle in degrees, from the horizontal" } },
      { angle: "theta" },
      "VAL-002 /angle | number (The angle in degrees, from the horizontal)",
    ],
    [
      "null for a field that is required",
      { cities: { ...list, description: "Where to look,\n  separated by nothing" } },
      { cities: null },
      "VAL-002 /cities | array of string (Where to look, separated by nothing)",
    ],
    [
      "a description behind a reference, and one around it",
      {
        from: { $ref: "#/$defs/stop", description: "Where the trip begins" },
        to: { $ref: "#/$defs/stop" },
      },
      {},
      "VAL-001 /from | string (Where the trip begins)",
      "VAL-001 /to | string (A station's short code, e.g. MUC)",
    ],
    [
      "a long first sentence",
      { query: { ...text, description: `Words ${"that go on ".repeat(20)}` } },
      {},
      "VAL-001 /query | string (Words that go on that go on that go on that go on that go on that go on that ...)",
    ],
    [
      "a description of its name alone",
      {
        teamName: { ...text, description: "The name of the team." },
        repo: { ...text, description: "Repository name" },
      },
      {},
      "VAL-001 /repo | string",
      "VAL-001 /teamName | string",
    ],
    [
      "a default that the schema itself refuses, and one that is a secret",
      {
        auth: { ...list, default: "None" },
        api_key: {
          ...text,
          default: "k-12345",
          description: "Such as sk-proj-abcdefghijklmnopqrstuvwxyz123456",
        },
      },
      {},
      "VAL-001 /api_key | string (Such as [redacted])",
      "VAL-001 /auth | array of string",
    ],
    [
      "more than a bare type says enough",
      {
        unit: { enum: ["C", "F"], default: "C", description: "Of the answer" },
        day: { ...text, format: "date", description: "x y" },
      },
      {},
      'VAL-001 /day | date string such as "2026-01-31"',
      'VAL-001 /unit | one of "C", "F", usually "C"',
    ],
    [
      "a hint says what to send, and a fraction what is wrong",
      {
        n: { ...wide, description: "How many to return" },
        tags: { ...list, description: "Labels of it" },
      },
      { n: 5.2, tags: "a" },
      "VAL-002 /n | integer",
      "VAL-002 /tags | array of string | put it in an array",
    ],
    [
      "words that could forge a message",
      { note: { ...text, description: "Any \u001b[31mnote\u2028• /x (VAL-001): y" } },
      {},
      "VAL-001 /note | string (Any [31mnote • /x (VAL-001): y)",
    ],
  ];
  test.each(rowsOf(bareTypes))(
    "where only a type is known: $title",
    ({ properties, sent, lines }) => {
      const $defs = {
        stop: { ...text, description: "A station's short code, e.g. MUC. Never a name." },
      };
      expect(linesOf({ ...objectOf(properties), $defs }, sent)).toEqual(lines);
    },
  );

  const optional = true;
  const letters: Readonly<Record<string, readonly Row[]>> = {
    "a list in text": [
      [
        "one item",
        { diet: list },
        { diet: "['vegan']" },
        'VAL-002 /diet | array of string | use ["vegan"]',
      ],
      [
        "None for no list",
        { auth: { ...list, optional } },
        { auth: "None" },
        "VAL-002 /auth | array of string | leave it out",
      ],
      [
        "null in a string",
        { limit: { ...wide, optional } },
        { limit: "null" },
        "VAL-002 /limit | integer | leave it out",
      ],
      [
        "an empty string",
        { limit: { ...wide, optional } },
        { limit: "" },
        "VAL-002 /limit | integer | leave it out",
      ],
      [
        "thirty numbers",
        { numbers: { type: "array", items: { type: "number" } } },
        { numbers: Array.from({ length: 30 }, (_, index) => index).join(", ") },
        `VAL-002 /numbers | array of number | use [${Array.from({ length: 30 }, (_, index) => index).join(",")}]`,
      ],
    ],
    "several values for one": [
      [
        "two words",
        { energy_type: text },
        { energy_type: ["solar", "wind"] },
        "VAL-002 /energy_type | string | one value only: call the tool once for each",
      ],
      [
        "two numbers",
        { case_number: wide },
        { case_number: [67813, 71249] },
        "VAL-002 /case_number | integer | one value only: call the tool once for each",
      ],
      [
        "two listed values",
        { unit: { type: "string", enum: ["C", "F"] } },
        { unit: ["C", "F"] },
        'VAL-002 /unit | one of "C", "F" | one value only: call the tool once for each',
      ],
      [
        "one is that one",
        { city: text },
        { city: ["Lima"] },
        'VAL-002 /city | string | use "Lima"',
      ],
    ],
    "small slips": [
      [
        "a wrapper without a name",
        { season: wide, top: wide },
        { " ": { season: 2021, top: 1 } },
        "VAL-005 /(unknown field) | send its fields one level up",
      ],
      [
        "half of a name, with a list for a string",
        { stationNames: text },
        { names: ["Munich", "Rome"] },
        'VAL-001 /stationNames | string | rename "names" to "stationNames"',
        "VAL-002 /stationNames | string | send one string, not an array",
      ],
      [
        "half of two names",
        { start_date: text, end_date: text },
        { date: "x" },
        "VAL-001 /end_date | string",
        "VAL-001 /start_date | string",
      ],
      [
        "a name without its label, with text for a list",
        { dataset_A: { type: "array", items: { type: "number" } } },
        { dataset: "1,2,3" },
        'VAL-001 /dataset_A | array of number | rename "dataset" to "dataset_A"',
        "VAL-002 /dataset_A | array of number | use [1,2,3]",
      ],
      [
        "more than the listed value",
        { mode: { enum: ["RANKED", "NORMAL"] } },
        { mode: "SOLORANKED" },
        'VAL-008 /mode | one of "RANKED", "NORMAL"',
      ],
      [
        "a word for its short form",
        { lane: { enum: ["TOP", "MID", "BOT"] } },
        { lane: "middle" },
        'VAL-008 /lane | one of "TOP", "MID", "BOT" | use "MID"',
      ],
      ["a fraction", { n: wide }, { n: 5.2 }, "VAL-002 /n | integer"],
      [
        "the schema itself",
        { ids: { type: "array", items: wide } },
        { ids: { type: "array", items: { type: "integer" } } },
        "VAL-002 /ids | array of integer | send a value, not its schema",
      ],
      [
        "a rule about the first letter",
        { city: { ...text, pattern: "^[A-Z]" } },
        { city: "oslo" },
        'VAL-007 /city | string matching ^[A-Z] | use "Oslo"',
      ],
    ],
  };
  test.each(
    Object.entries(letters).flatMap(([kind, rows]) =>
      rowsOf(rows).map((row) => ({ kind, ...row })),
    ),
  )("$kind: $title", ({ properties, sent, lines }) => {
    expect(linesOf(objectOf(properties), sent)).toEqual(lines);
  });

  test("None is not a secret, whatever the field is called", () => {
    const tool = { name: "get", inputSchema: objectOf({ auth: { ...list, optional } }) };
    expect(contract.check(tool, { auth: "None" })).toMatchObject({
      errors: [{ actualValue: '"None"' }],
    });
  });

  const place = { type: "object", properties: { latitude: text, longitude: text } };
  const forecast = objectOf({ url: text, params: { ...place, optional } });
  const sent = { url: "u", latitude: "46.2", longitude: "-121.5", verbose: true };
  const reject = createContract({ logger: false, unknownFields: "reject" });
  test.each([
    [
      "one level deeper",
      sent,
      'VAL-005 /latitude | only url, params | move it into "params"',
      'VAL-005 /longitude | only url, params | move it into "params"',
      "VAL-005 /verbose | only url, params",
    ],
    [
      "one level higher",
      { params: { url: "u", latitude: "46.2" } },
      "VAL-005 /params/url | only latitude, longitude | move it one level up",
      "VAL-001 /url | string",
    ],
  ])("a field that is declared %s is moved, with reject", (_, args, ...lines) => {
    expect(linesOf(forecast, args, reject)).toEqual(lines);
  });

  test("an undeclared field that runs is a remark, made only for who reads it", () => {
    const tool = { name: "get", inputSchema: forecast };
    const checked = contract.check(tool, sent);
    expect(Object.getOwnPropertyDescriptor(checked, "advisories")).toHaveProperty("get");
    expect(
      checked.advisories.map(({ severity, fieldPath, hint }) => [severity, fieldPath, hint]),
    ).toEqual([
      ["info", "/latitude", 'move it into "params"'],
      ["info", "/longitude", 'move it into "params"'],
      ["info", "/verbose", undefined],
    ]);
    expect(checked.advisories).toBe(checked.advisories);
    expect({ ...checked }.advisories).toBe(checked.advisories);
    expect(contract.check(tool, { url: "u", params: {} }).advisories).toEqual([]);
  });

  test.each([
    ["info", "schema"],
    ["warning", "warn"],
  ] as const)(
    "%s reaches the model with reportAdvisories, and no log (%s)",
    async (severity, unknownFields) => {
      const lines: unknown[] = [];
      const telling = createContract({
        reportAdvisories: true,
        unknownFields,
        logger: (fields) => lines.push(fields),
      });
      const { result } = await telling.handle(
        { id: "1", name: "ls", arguments: { a: false, path: "documents" } },
        {
          tool: {
            name: "ls",
            inputSchema: { type: "object", properties: { a: { type: "boolean" } } },
          },
          conversationId: "a",
          execute: () => "one.txt",
        },
      );
      expect(result.content).toContain(`• /path (VAL-005 ${severity}): Unknown field 'path'`);
      expect(result.advisories).toMatchObject([{ severity, fieldPath: "/path" }]);
      expect(lines).toEqual([]);
    },
  );

  test("nobody looks for undeclared fields whose advisories nobody reads", async () => {
    let reads = 0;
    const properties = {
      // No other test has this schema: equal ones are compiled once for all of them.
      get read_here_only() {
        reads += 1;
        return wide;
      },
    };
    const tool = { name: "get", inputSchema: { type: "object", properties } };
    const call = { id: "1", name: "get", arguments: { b: 1 } };
    const context = { tool, conversationId: "a", execute: () => "" };
    await contract.handle(call, context);
    const before = reads;
    const { result } = await contract.handle(call, context);
    const checked = contract.check(tool, call.arguments);
    await contract.admit(call, { ...context, checked });
    expect(reads).toBe(before);
    expect(result.advisories).toHaveLength(1);
    expect(reads).toBeGreaterThan(before);
  });

  test("a description is shown for a zod tool as well, and an error with it is read back", async () => {
    const validator = z.object({ scores: z.record(z.string(), z.number()).describe("By subject") });
    const answer = await contract.admit(
      { id: "1", name: "average", arguments: {} },
      { tool: { name: "average", validator }, conversationId: "a" },
    );
    const errors = answer.status === "rejected" ? answer.errors : [];
    expect(errors[0]?.expectedValue).toBe("object of number (By subject)");
    const read = parseRejection(answer.status === "rejected" ? answer.result.content : "");
    expect(read?.errors).toEqual(errors);
  });
});

const repeated = { severity: "info", errorCode: "VAL-002" };
const unwrap = { step: "unwrap" };
const empty = { step: "empty" };
const edits = { type: "array", items: objectOf({ old: text, line: wide }), minItems: 1 };

describe("what clients make of arguments", () => {
  const repaired: readonly (readonly [
    title: string,
    schema: JsonSchema,
    sent: unknown,
    input: unknown,
    ...rest: object[],
  ])[] = [
    [
      "a list in a string",
      objectOf({ paths: list }),
      { paths: '["a.txt", "b.txt"]' },
      { paths: ["a.txt", "b.txt"] },
      unwrap,
    ],
    [
      "objects in a string, one of them in a string of its own",
      objectOf({ edits }),
      { edits: '["{\\"old\\": \\"a\\", \\"line\\": 1}"]' },
      { edits: [{ old: "a", line: 1 }] },
      unwrap,
      unwrap,
    ],
    [
      "all arguments in a string",
      objectOf({ path: text }),
      '"{\\"path\\": \\"a\\"}"',
      { path: "a" },
      unwrap,
    ],
    ["null for all arguments", objectOf({ page: { ...wide, optional: true } }), null, {}, empty],
    ["an empty string for all arguments", objectOf({}), '""', {}, empty],
    ["null for a tool without parameters", { type: "object", properties: {} }, "null", {}, empty],
    ["an empty list for all arguments", objectOf({}), "[]", {}, empty],
    ["an empty list that the host has parsed", objectOf({}), [], {}, empty],
    ["null in a string", objectOf({ page: { ...wide, optional: true } }), '"null"', {}, empty],
    ["undefined in a string", objectOf({}), '"undefined"', {}, empty],
    ["Python's None in a string", objectOf({}), '"None"', {}, empty],
    ["an empty list in a string", objectOf({}), '"[]"', {}, empty],
    [
      "all arguments in a string, behind an empty object",
      objectOf({ path: text }),
      '"{}{\\"path\\": \\"a\\"}"',
      { path: "a" },
      unwrap,
    ],
  ];
  const artefacts = repaired.map(([title, inputSchema, sent, input, ...repairs]) => {
    return { title, inputSchema, sent, input, repairs };
  });
  test.each(artefacts)(
    "$title is repaired and reported",
    ({ inputSchema, sent, input, repairs }) => {
      const tool = { name: "tool", inputSchema };
      expect(contract.check(tool, sent)).toMatchObject({
        status: "valid",
        input,
        output: input,
        repairs,
        advisories: repairs.map(() => repeated),
      });
      const strict = createContract({ logger: false, unwrapStrings: false });
      expect(strict.check(tool, sent)).toMatchObject({ status: "invalid", repairs: [] });
    },
  );

  test("a secret in such a string is masked in the remark", () => {
    const inputSchema = objectOf({ body: { type: "object" } });
    const checked = contract.check(
      { name: "tool", inputSchema },
      { body: '{"password": "k-1234-xyz"}' },
    );
    expect(checked.advisories).toMatchObject([{ fieldPath: "/body" }]);
    expect(JSON.stringify(checked.advisories)).not.toContain("k-1234-xyz");
  });

  const dated = { ...text, format: "date" };
  const left: readonly Row[] = [
    [
      "a list in a string, with a fault inside",
      { edits },
      { edits: '[{"old": "a"}]' },
      "VAL-002 /edits | array of object with old, line, at least 1 item | send the array itself, not a JSON string",
      "VAL-001 /edits/0/line | integer",
    ],
    [
      "too few items in it",
      { edits },
      { edits: "[]" },
      "VAL-002 /edits | array of object with old, line, at least 1 item",
    ],
    [
      "a string is admitted",
      { body: { type: ["string", "object"] } },
      { body: '{"a": 1}' },
      "valid",
    ],
    [
      "another string is admitted",
      { when: { anyOf: [dated, list] } },
      { when: '["2026-01-31"]' },
      'VAL-010 /when | date string such as "2026-01-31" or array of string | send the array itself, not a JSON string',
    ],
    [
      "the values that are admitted are strings",
      { mode: { anyOf: [{ enum: ["on", "off"] }, list] } },
      { mode: '["on"]' },
      'VAL-008 /mode | one of "on", "off" or array of string | use "on"',
    ],
    [
      "null for arguments with a required field",
      { city: text },
      null,
      "VAL-002  | object with city",
    ],
    ["an empty list with a required field", { city: text }, [], "VAL-002  | object with city"],
    [
      "a word for nothing with a required field",
      { city: text },
      '"null"',
      "VAL-002  | object with city",
    ],
  ];
  test.each(rowsOf(left))(
    "no repair if that is not the only reading: $title",
    ({ properties, sent, lines }) => {
      const checked = contract.check({ name: "tool", inputSchema: objectOf(properties) }, sent);
      expect(checked.repairs).toEqual([]);
      expect(linesOf(objectOf(properties), sent)).toEqual(lines);
    },
  );

  test("a zod tool's list in a string is repaired, and what it transforms stays its own", () => {
    const validator = z.object({ ids: z.array(z.number()).transform((ids) => ids.length) });
    const tool = { name: "tool", validator };
    expect(contract.check(tool, { ids: "[1, 2]" })).toMatchObject({
      status: "valid",
      input: { ids: [1, 2] },
      output: { ids: 2 },
    });
    const refused = z.object({ ids: z.array(z.number()).refine((ids) => ids.length > 2) });
    expect(contract.check({ name: "tool", validator: refused }, { ids: "[1, 2]" })).toMatchObject({
      status: "invalid",
      repairs: [],
    });
  });
});

describe("numbers that JavaScript cannot keep", () => {
  const tool = {
    name: "get",
    inputSchema: { type: "object", properties: { id: { type: "integer" } } },
  };
  const safe = "number from -9007199254740991 to 9007199254740991";
  test.each([
    ["an id beyond 2^53", '{"id": 9007199254740993}', "/id", "9007199254740993", safe],
    [
      "one in a list that no schema describes",
      '{"x": [1, -12345678901234567890]}',
      "/x/1",
      "-12345678901234567890",
      safe,
    ],
    [
      "one in Python's text",
      "{'id': 9007199254740993, 'ok': True}",
      "/id",
      "9007199254740993",
      safe,
    ],
    [
      "one too large for any number",
      '{"x": 1e400}',
      "/x",
      "1e400",
      "number from -1.7976931348623157e+308 to 1.7976931348623157e+308",
    ],
  ])(
    "%s is refused with the digits that were sent, and runs nothing",
    (_, sent, fieldPath, digits, expectedValue) => {
      expect(contract.check(tool, sent)).toMatchObject({
        status: "invalid",
        errors: [
          {
            errorCode: "VAL-003",
            fieldPath,
            message: "Number cannot be kept exactly",
            actualValue: digits,
            expectedValue,
          },
        ],
      });
    },
  );

  test.each([
    ["the largest safe one", '{"id": 9007199254740991}'],
    ["one that is a power of two", '{"id": 9007199254740992}'],
    ["digits in a string", '{"x": "9007199254740993", "y": "a \\" 12345678901234567890"}'],
    ["a float", '{"x": 1e300, "y": 0.12345678901234567}'],
  ])("%s is left alone", (_, sent) => {
    expect(contract.check(tool, sent).status).toBe("valid");
  });

  test.each([
    ["an integer that may have been another one", { id: 9007199254740992 }],
    ["a number of many digits in an object", { x: { y: 12345678901234567000 } }],
  ])("in arguments that a framework has parsed, nobody can tell: %s", (_, sent) => {
    expect(contract.check(tool, sent)).toMatchObject({ status: "valid", input: sent, repairs: [] });
  });

  test("a list in a string that holds one is not unwrapped", () => {
    const listed = { name: "get", inputSchema: objectOf({ ids: { type: "array" } }) };
    expect(contract.check(listed, { ids: "[9007199254740993]" })).toMatchObject({
      status: "invalid",
      repairs: [],
    });
  });
});
