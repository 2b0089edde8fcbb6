import { describe, expect, test } from "vitest";
import {
  ERROR_CODES,
  type Redactor,
  type Severity,
  type ValidationError,
} from "@toolcontract/explain";
import { SEVERITIES, isErrorCode } from "@toolcontract/explain/adapter";
import { createContract } from "./create-contract.ts";

const tool = {
  name: "read_file",
  inputSchema: {
    type: "object",
    properties: {
      "a/b": { type: "object", properties: { "c~d": { type: "integer" } } },
      encoding: { enum: ["utf-8"] },
    },
  },
};

function errorsOf(args: unknown): readonly ValidationError[] {
  const result = createContract().check(tool, args);
  return result.status === "invalid" ? result.errors : [];
}

describe("a validation error", () => {
  const [error] = errorsOf({ encoding: "utf8" });

  test("is plain data: JSON keeps all of it", () => {
    expect(JSON.parse(JSON.stringify(error))).toEqual(error);
    expect(Object.getPrototypeOf(error)).toBe(Object.prototype);
  });

  test("has an error code", () => expect(error?.errorCode).toBe("VAL-008"));

  test("has a field path that is a JSON Pointer", () => {
    expect(error?.fieldPath).toBe("/encoding");
    expect(errorsOf({ "a/b": { "c~d": "x" } })[0]?.fieldPath).toBe("/a~1b/c~0d");
    expect(errorsOf(5)[0]?.fieldPath).toBe("");
  });

  test.each([
    ["escapes", "/a~1b/c~0d", "/a~1b/c~0d"],
    ["an index", "/tags/0", "/tags/0"],
    ["no slash before it", "tags/0", "/tags/0"],
  ])("has the pointer that a rule gives, with %s", (_, fieldPath, expected) => {
    const rules = [() => [{ message: "not today", fieldPath }]];
    const checked = createContract().check({ ...tool, rules }, {});
    expect(checked).toMatchObject({ errors: [{ fieldPath: expected }] });
  });

  test("has a message", () => expect(error?.message).toBe("Invalid enum value"));
  test("has a severity", () => expect(error?.severity).toBe("error"));
  test("has the expected value", () => expect(error?.expectedValue).toBe('"utf-8"'));
  test("has the actual value, sanitised", () => {
    expect(error?.actualValue).toBe('"utf8"');
    expect(errorsOf({ encoding: `sk-${"a1B2".repeat(12)}` })[0]?.actualValue).toBe('"[redacted]"');
  });

  test("severity is error, warning or info", () => {
    const all: readonly Severity[] = ["error", "warning", "info"];
    expect(SEVERITIES).toEqual(all);
  });
});

describe("error codes", () => {
  test("are texts of the form VAL-XXX", () => {
    expect(Object.keys(ERROR_CODES)).toEqual(
      Array.from({ length: 16 }, (_, index) => `VAL-${String(index + 1).padStart(3, "0")}`),
    );
    expect([isErrorCode("VAL-001"), isErrorCode("VAL-017"), isErrorCode("toString")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  const only = (schema: object) => ({
    name: "t",
    inputSchema: { type: "object", properties: { a: schema } },
  });
  const rows = [
    {
      title: "VAL-001 missing required field",
      tool: { name: "t", inputSchema: { type: "object", required: ["a"] } },
      args: "{}",
      code: "VAL-001",
    },
    {
      title: "VAL-002 type mismatch",
      tool: only({ type: "integer" }),
      args: '{"a":"x"}',
      code: "VAL-002",
    },
    {
      title: "VAL-003 constraint violation",
      tool: only({ type: "integer", maximum: 3 }),
      args: '{"a":4}',
      code: "VAL-003",
    },
    {
      title: "VAL-004 invalid JSON",
      tool: only({}),
      args: "please read it",
      code: "VAL-004",
    },
    {
      title: "VAL-005 unknown field",
      tool: { name: "t", inputSchema: { type: "object", additionalProperties: false } },
      args: '{"b":1}',
      code: "VAL-005",
    },
    {
      title: "VAL-006 array length",
      tool: only({ type: "array", maxItems: 1 }),
      args: '{"a":[1,2]}',
      code: "VAL-006",
    },
    {
      title: "VAL-007 pattern",
      tool: only({ type: "string", pattern: "^a" }),
      args: '{"a":"b"}',
      code: "VAL-007",
    },
    {
      title: "VAL-008 enum",
      tool: only({ enum: ["x"] }),
      args: '{"a":"y"}',
      code: "VAL-008",
    },
    {
      title: "VAL-009 string length",
      tool: only({ type: "string", maxLength: 1 }),
      args: '{"a":"bb"}',
      code: "VAL-009",
    },
    {
      title: "VAL-010 format",
      tool: only({ type: "string", format: "date" }),
      args: '{"a":"today"}',
      code: "VAL-010",
    },
    { title: "VAL-011 cut off", tool: only({}), args: '{"a":"b', code: "VAL-011" },
    {
      title: "VAL-013 no variant",
      tool: only({ anyOf: [{ required: ["x"] }, { required: ["y"] }] }),
      args: '{"a":{}}',
      code: "VAL-013",
    },
    {
      title: "VAL-014 dependent fields",
      tool: { name: "t", inputSchema: { dependentRequired: { a: ["b"] } } },
      args: '{"a":1}',
      code: "VAL-014",
    },
    {
      title: "VAL-015 duplicates",
      tool: only({ type: "array", uniqueItems: true }),
      args: '{"a":[1,1]}',
      code: "VAL-015",
    },
    {
      title: "VAL-016 a rule",
      tool: { ...only({}), rules: [() => [{ message: "not today" }]] },
      args: "{}",
      code: "VAL-016",
    },
  ] as const;

  test.each(rows)("$title", ({ tool: called, args, code }) => {
    const result = createContract().check(called, args);
    expect(result.status === "invalid" && result.errors.map(({ errorCode }) => errorCode)).toEqual([
      code,
    ]);
  });

  test("VAL-012 unknown tool", async () => {
    const contract = createContract({ logger: () => undefined });
    const call = { id: "1", name: "red_file", arguments: "{}" };
    const answer = await contract.admit(call, { conversationId: "c", tools: [tool] });
    expect(answer).toMatchObject({
      status: "rejected",
      errors: [{ errorCode: "VAL-012", hint: 'use "read_file"' }],
    });
  });
});

describe("a value that is hidden is not repeated in a rule's own words", () => {
  const STORED = "tulip-river-93";
  const TOKEN = "sk-ant-api03-abcdefgh12345678";
  const words = (fieldPath: string, actualValue: unknown, message: string): ValidationError[] => [
    { fieldPath, actualValue, message } as never,
  ];

  /** The words of an error that a rule reports on arguments that hold nothing of it. */
  function said(errors: readonly ValidationError[], redact: readonly Redactor[] = []): string {
    const contract = createContract({
      logger: () => undefined,
      redact,
      rules: { read_file: [() => errors] },
    });
    return JSON.stringify(contract.check(tool, {}));
  }

  test.each<[string, readonly ValidationError[], readonly Redactor[]]>([
    ["by the name of its field", words("/password", STORED, `${STORED} was used before`), []],
    [
      "by the name of a field above it",
      words("/credentials/old", STORED, `${STORED} was used before`),
      [],
    ],
    [
      "because a secret is in it: all of the string",
      words("/note", TOKEN, `do not send ${TOKEN}`),
      [],
    ],
    [
      "by a redactor that failed",
      words("/note", STORED, `${STORED} was used before`),
      [
        () => {
          throw new Error("failed");
        },
      ],
    ],
    [
      "by a redactor that replaced it",
      words("/note", STORED, `${STORED} was used before`),
      [(value) => value.replaceAll(STORED, "[flower]")],
    ],
    [
      "inside an object, by the name of its field",
      words("/note", { user: "ada", password: STORED }, `${STORED} was used before`),
      [],
    ],
  ])("%s", (_, errors, redact) => {
    const text = said(errors, redact);
    expect(text).toContain('"status":"invalid"');
    expect(text).not.toContain(STORED);
    expect(text).not.toContain(TOKEN);
  });

  test("a value that is shown may be repeated", () => {
    expect(said(words("/note", STORED, `${STORED} was used before`))).toContain(
      `${STORED} was used before`,
    );
  });

  test("what is beside a hidden field of an object may be repeated", () => {
    const errors = words("/note", { user: "ada-lovelace", password: STORED }, "not ada-lovelace");
    expect(said(errors)).toContain("not ada-lovelace");
  });
});
