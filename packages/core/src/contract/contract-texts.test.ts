import type { StandardSchemaV1 } from "@standard-schema/spec";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { z as z4 } from "zod";
import { z as z3 } from "zod3";
import type { ToolDefinition } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";
import { schemaOf } from "@toolcontract/case-table/schema-of";

/** One tool, as its author may have written it. */
type Authored =
  | StandardSchemaV1
  | (Readonly<Record<"properties", object>> &
      Readonly<Partial<Record<"required" | "additionalProperties" | "$defs", unknown>>>);

interface Row {
  readonly title: string;
  readonly tools: readonly Authored[];
  readonly sent: unknown;
  /** What the model reads about the faults. */
  readonly lines: readonly string[];
}

const contract = createContract({ logger: () => undefined });

function toolOf(authored: Authored): ToolDefinition {
  if (!("~standard" in authored))
    return { name: "t", inputSchema: { type: "object", ...authored } };
  const inputSchema = schemaOf(authored);
  return { name: "t", validator: authored, ...(inputSchema !== undefined && { inputSchema }) };
}

/** Returns the bullets of the message in the standard style. */
async function read(authored: Authored, sent: unknown): Promise<readonly string[]> {
  const call = { id: "call_1", name: "t", arguments: sent };
  const answer = await contract.admit(call, {
    conversationId: crypto.randomUUID(),
    tool: toolOf(authored),
  });
  if (answer.status !== "rejected") return [answer.status];
  const { content } = answer.result;
  return content.split("\n").filter((line) => /^(?:• | {2})/.test(line));
}

const text = { type: "string" };

const paths: readonly Row[] = [
  {
    title: "a path of two segments is shown whole, and so is the hint that repeats it",
    tools: [
      { properties: { path: text } },
      z4.object({ path: z4.string() }),
      z3.object({ path: z3.string() }),
    ],
    sent: { path: ["/tmp/a.txt"] },
    lines: [
      "• /path (VAL-002): Type mismatch: expected string, got array",
      "  Expected: string",
      '  Actual: ["/tmp/a.txt"]',
      '  Hint: use "/tmp/a.txt"',
    ],
  },
];

const BIG = "1234567890123456789";

const numbers: readonly Row[] = [
  {
    title: "an integer beyond the safe ones: the broken bound, and the digits that were sent",
    tools: [
      {
        properties: {
          n: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        },
      },
      z4.object({ n: z4.int().min(0) }),
    ],
    sent: `{"n": ${BIG}}`,
    lines: [
      "• /n (VAL-003): Value out of range",
      "  Expected: integer from 0 to 9007199254740991",
      `  Actual: ${BIG}`,
    ],
  },
  {
    title: "a negative integer beyond the safe ones",
    tools: [z4.object({ n: z4.int() })],
    sent: `{"n": -${BIG}}`,
    lines: [
      "• /n (VAL-003): Value out of range",
      "  Expected: integer at least -9007199254740991",
      `  Actual: -${BIG}`,
    ],
  },
  {
    title: "a number out of the range of float32",
    tools: [z4.object({ n: z4.float32() })],
    sent: { n: 1e39 },
    lines: [
      "• /n (VAL-003): Value out of range",
      "  Expected: number at most 3.4028234663852886e+38",
      "  Actual: 1e+39",
    ],
  },
  {
    title: "an integer out of the range of its format",
    tools: [{ properties: { n: { type: "integer", format: "int32" } } }],
    sent: { n: 3_000_000_000 },
    lines: [
      "• /n (VAL-010): Invalid format",
      "  Expected: integer at most 2147483647",
      "  Actual: 3000000000",
    ],
  },
  {
    title: "an id in digits for a string: the hint repeats them all",
    tools: [
      { properties: { id: text } },
      z4.object({ id: z4.string() }),
      z3.object({ id: z3.string() }),
    ],
    sent: `{"id": ${BIG}}`,
    lines: [
      "• /id (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      `  Actual: ${BIG}`,
      `  Hint: use "${BIG}"`,
    ],
  },
  {
    title: "an id that the host has parsed was rounded, so no hint repeats it",
    tools: [{ properties: { id: text } }, z4.object({ id: z4.string() })],
    sent: { id: Number(BIG) },
    lines: [
      "• /id (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 1234567890123456800",
    ],
  },
];

const lengths: readonly Row[] = [
  {
    title: "an array of exactly two",
    tools: [
      {
        properties: { at: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 } },
      },
      z4.object({ at: z4.array(z4.number()).length(2) }),
      z3.object({ at: z3.array(z3.number()).length(2) }),
    ],
    sent: { at: [1] },
    lines: [
      "• /at (VAL-006): Array length 1 is below minimum 2",
      "  Expected: array of number, 2 items",
      "  Actual: [1]",
    ],
  },
  {
    title: "a string of exactly three",
    tools: [
      { properties: { code: { ...text, minLength: 3, maxLength: 3 } } },
      z4.object({ code: z4.string().length(3) }),
      z3.object({ code: z3.string().length(3) }),
    ],
    sent: { code: "EURO" },
    lines: [
      "• /code (VAL-009): String length 4 exceeds maximum 3",
      "  Expected: string, 3 characters",
      '  Actual: "EURO"',
    ],
  },
  {
    title: "exactly two items of a kind",
    tools: [
      {
        properties: {
          roles: { type: "array", contains: { const: "admin" }, minContains: 2, maxContains: 2 },
        },
      },
    ],
    sent: { roles: ["admin"] },
    lines: [
      "• /roles (VAL-006): Array length 1 is below minimum 2",
      '  Expected: array with 2 items that are "admin"',
      '  Actual: ["admin"]',
    ],
  },
];

const never: readonly Row[] = [
  {
    title: "an alternative that accepts nothing is not named",
    tools: [
      { properties: { n: { anyOf: [{ not: {} }, text, { type: "number" }] } } },
      { properties: { n: { anyOf: [text, false, { type: "number" }] } } },
      z4.object({ n: z4.union([z4.string(), z4.never(), z4.number()]) }),
      z3.object({ n: z3.union([z3.undefined(), z3.string(), z3.number()]) }),
    ],
    sent: { n: {} },
    lines: [
      "• /n (VAL-002): Type mismatch: expected string or number, got object",
      "  Expected: string or number",
      "  Actual: {}",
    ],
  },
  {
    title: "nor is `undefined` beside a type, where nothing was sent",
    tools: [
      {
        properties: { n: { type: "array", items: { anyOf: [text, { not: {} }] } } },
        required: ["n"],
      },
      z4.object({ n: z4.array(z4.union([z4.string(), z4.undefined()])) }),
      z3.object({ n: z3.array(z3.union([z3.string(), z3.undefined()])) }),
    ],
    sent: {},
    lines: ["• /n (VAL-001): Required field 'n' is missing", "  Expected: array of string"],
  },
  {
    title: "a field that accepts nothing is to be left out",
    tools: [
      { properties: { n: { not: {} } } },
      z4.object({ n: z4.never().optional() }),
      z3.object({ n: z3.never().optional() }),
    ],
    sent: { n: 5 },
    lines: ["• /n (VAL-005): Unknown field 'n'", "  Expected: nothing here"],
  },
];

const patterns: readonly Row[] = [
  {
    title: "a pattern with a flag",
    tools: [
      z4.object({
        code: z4
          .string()
          .max(9)
          .regex(/^[a-z]+\/\d$/i),
      }),
      v.object({ code: v.pipe(v.string(), v.maxLength(9), v.regex(/^[a-z]+\/\d$/i)) }),
    ],
    sent: { code: "7" },
    lines: [
      "• /code (VAL-007): Value doesn't match pattern",
      "  Expected: string, at most 9 characters matching /^[a-z]+\\/\\d$/i",
      '  Actual: "7"',
    ],
  },
  {
    title: "a pattern whose flags change nothing for a model",
    tools: [z4.object({ code: z4.string().regex(/^[a-z]+$/u) })],
    sent: { code: "7" },
    lines: [
      "• /code (VAL-007): Value doesn't match pattern",
      "  Expected: string matching ^[a-z]+$",
      '  Actual: "7"',
    ],
  },
];

const SHUT = { additionalProperties: false };

const invented: readonly Row[] = [
  ...[
    ["reason", "leave it out"],
    ["timeout", "no such option: if the call needs it, ask the user"],
    ["verbose", "no such option: if the call needs it, ask the user"],
    ["requestId", "leave it out"],
  ].map(([key = "", hint = ""]): Row => ({
    title: `an invented key with nothing near: ${key}`,
    tools: [
      { properties: { path: text }, required: ["path"], ...SHUT },
      z4.strictObject({ path: z4.string() }),
      z3.object({ path: z3.string() }).strict(),
    ],
    sent: { path: "a.txt", [key]: "x" },
    lines: [
      `• /${key} (VAL-005): Unknown field '${key}'`,
      "  Expected: only path",
      `  Hint: ${hint}`,
    ],
  })),
  {
    title: "an invented key that may be the missing field is not to be left out",
    tools: [
      { properties: { path: text }, required: ["path"], ...SHUT },
      z4.strictObject({ path: z4.string() }),
    ],
    sent: { location: "a.txt" },
    lines: [
      "• /location (VAL-005): Unknown field 'location'",
      "  Expected: only path",
      "• /path (VAL-001): Required field 'path' is missing",
      "  Expected: string",
    ],
  },
  {
    title: "an invented key whose value the missing field cannot take",
    tools: [{ properties: { path: text }, required: ["path"], ...SHUT }],
    sent: { verbose: true },
    lines: [
      "• /path (VAL-001): Required field 'path' is missing",
      "  Expected: string",
      "• /verbose (VAL-005): Unknown field 'verbose'",
      "  Expected: only path",
      "  Hint: no such option: if the call needs it, ask the user",
    ],
  },
  {
    title: "a key that is near to two is not to be left out",
    tools: [
      { properties: { html_url: text, api_url: text }, ...SHUT },
      z4.strictObject({ html_url: z4.string().optional(), api_url: z4.string().optional() }),
    ],
    sent: { url: "https://example.com" },
    lines: ["• /url (VAL-005): Unknown field 'url'", "  Expected: only html_url, api_url"],
  },
];

const tags = { type: "array", items: text };
const boxes = {
  type: "array",
  items: { type: "object", properties: { a: text }, required: ["a"] },
};

const arrays: readonly Row[] = [
  {
    title: "a string of several items for an array of strings",
    tools: [
      { properties: { tags } },
      z4.object({ tags: z4.array(z4.string()) }),
      z3.object({ tags: z3.array(z3.string()) }),
    ],
    sent: { tags: "abc, def" },
    lines: [
      "• /tags (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string",
      '  Actual: "abc, def"',
      '  Hint: send an array, such as ["abc", "def"]',
    ],
  },
  {
    title: "an array as another language writes it",
    tools: [{ properties: { tags } }, z4.object({ tags: z4.array(z4.string()) })],
    sent: { tags: "['abc', 'def']" },
    lines: [
      "• /tags (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string",
      "  Actual: \"['abc', 'def']\"",
      '  Hint: use ["abc","def"]',
    ],
  },
  {
    title: "a sentence for an array of strings",
    tools: [{ properties: { tags } }, z4.object({ tags: z4.array(z4.string()) })],
    sent: { tags: "Fix the login first, then deploy" },
    lines: [
      "• /tags (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string",
      '  Actual: "Fix the login first, then deploy"',
    ],
  },
  {
    title: "an empty object for an array of objects",
    tools: [
      { properties: { boxes } },
      {
        properties: { boxes: { ...boxes, items: { $ref: "#/$defs/box" } } },
        $defs: { box: boxes.items },
      },
      z4.object({ boxes: z4.array(z4.object({ a: z4.string() })) }),
      z3.object({ boxes: z3.array(z3.object({ a: z3.string() })) }),
    ],
    sent: { boxes: {} },
    lines: [
      "• /boxes (VAL-002): Type mismatch: expected array, got object",
      "  Expected: array of object with a",
      "  Actual: {}",
    ],
  },
  {
    title: "an empty object for an array of objects that may be empty",
    tools: [
      {
        properties: { boxes: { ...boxes, items: { ...boxes.items, required: [] } } },
      },
      z4.object({ boxes: z4.array(z4.object({ a: z4.string().optional() })) }),
    ],
    sent: { boxes: {} },
    lines: [
      "• /boxes (VAL-002): Type mismatch: expected array, got object",
      "  Expected: array of object with a",
      "  Actual: {}",
    ],
  },
];

const QUERY = { sql: text, timeout: { type: "integer" } };
const LIFTED = [
  "• /arguments (VAL-005): Unknown field 'arguments'",
  '  Hint: send the fields of "arguments" one level up',
];

const wrapped: readonly Row[] = [
  {
    title: "`arguments` around the fields and a stray one",
    tools: [
      { properties: QUERY, required: ["sql"], ...SHUT },
      z4.strictObject({ sql: z4.string(), timeout: z4.int().optional() }),
      z3.object({ sql: z3.string(), timeout: z3.number().int().optional() }).strict(),
    ],
    sent: { arguments: { sql: "select 1", verbose: true } },
    lines: [
      ...LIFTED,
      "• /arguments/verbose (VAL-005): Unknown field 'verbose'",
      "  Expected: only sql, timeout",
      "  Hint: no such option: if the call needs it, ask the user",
    ],
  },
  {
    title: "`arguments` around a misspelt field",
    tools: [
      { properties: QUERY, required: ["sql"], ...SHUT },
      { properties: QUERY, required: ["sql"] },
      z4.strictObject({ sql: z4.string(), timeout: z4.int().optional() }),
      z4.object({ sql: z4.string(), timeout: z4.int().optional() }),
      z3.object({ sql: z3.string(), timeout: z3.number().int().optional() }),
    ],
    sent: { arguments: { sql: "select 1", timeot: 5 } },
    lines: [
      ...LIFTED,
      "• /arguments/timeot (VAL-005): Unknown field 'timeot'",
      "  Expected: only sql, timeout",
      '  Hint: rename it to "timeout"',
    ],
  },
  {
    title: "`arguments` around a misspelt field that is required, and without another",
    tools: [
      { properties: { ...QUERY, database: text }, required: ["database", "sql"], ...SHUT },
      { properties: { ...QUERY, database: text }, required: ["database", "sql"] },
      z4.object({ sql: z4.string(), timeout: z4.int().optional(), database: z4.string() }),
    ],
    sent: { arguments: { databse: "main" } },
    lines: [
      ...LIFTED,
      "• /arguments/databse (VAL-005): Unknown field 'databse'",
      "  Expected: only sql, timeout, database",
      '  Hint: rename it to "database"',
      "• /sql (VAL-001): Required field 'sql' is missing",
      "  Expected: string",
    ],
  },
  {
    title: "an object of mostly unknown fields is not a wrapper",
    tools: [{ properties: QUERY, required: ["sql"], ...SHUT }],
    sent: { data: { rows: 5, columns: 3, timeout: 1 } },
    lines: [
      "• /data (VAL-005): Unknown field 'data'",
      "  Expected: only sql, timeout",
      "• /sql (VAL-001): Required field 'sql' is missing",
      "  Expected: string",
    ],
  },
];

const toNumber = z4.string().transform(Number).pipe(z4.number().min(1));

const stages: readonly Row[] = [
  {
    title: "a number that the validator makes from a string is too small",
    tools: [
      z4.object({ n: toNumber }),
      z4.object({ n: z4.string().pipe(z4.coerce.number<string>().min(1)) }),
      z3.object({ n: z3.string().pipe(z3.coerce.number().min(1)) }),
    ],
    sent: { n: "0" },
    lines: [
      "• /n (VAL-003): Constraint violated",
      "  Expected: string that holds a number at least 1",
      '  Actual: "0"',
    ],
  },
  {
    title: "a string from which the validator can make no number",
    tools: [
      z4.object({ n: toNumber }),
      z4.object({ n: z4.string().pipe(z4.coerce.number<string>().min(1)) }),
      z3.object({ n: z3.string().pipe(z3.coerce.number().min(1)) }),
    ],
    sent: { n: "many" },
    lines: [
      "• /n (VAL-010): Invalid format",
      "  Expected: string that holds a number",
      '  Actual: "many"',
    ],
  },
  {
    title: "an array that the validator makes from a string is too short",
    tools: [
      z4.object({
        n: z4
          .string()
          .transform((list) => list.split(","))
          .pipe(z4.array(z4.string()).min(2)),
      }),
    ],
    sent: { n: "a" },
    lines: [
      "• /n (VAL-010): Invalid format",
      "  Expected: string that holds an array, at least 2 items",
      '  Actual: "a"',
    ],
  },
  {
    title: "a number where a string is converted",
    tools: [z4.object({ n: toNumber })],
    sent: { n: 0 },
    lines: [
      "• /n (VAL-002): Type mismatch: expected string, got integer",
      "  Expected: string",
      "  Actual: 0",
      '  Hint: use "0"',
    ],
  },
  {
    title: "a coercion that takes numbers too",
    tools: [z4.object({ n: z4.coerce.number().min(1) })],
    sent: { n: "many" },
    lines: [
      "• /n (VAL-002): Type mismatch: expected number, got string",
      "  Expected: number at least 1",
      '  Actual: "many"',
    ],
  },
];

const near: readonly Row[] = [
  {
    title: "a word before the name of the missing field",
    tools: [
      { properties: { owner: text, repo: text }, required: ["owner", "repo"] },
      z4.object({ owner: z4.string(), repo: z4.string() }),
      z3.object({ owner: z3.string(), repo: z3.string() }),
    ],
    sent: { tool_owner: "octo", repo: "hello" },
    lines: [
      "• /owner (VAL-001): Required field 'owner' is missing",
      "  Expected: string",
      '  Hint: rename "tool_owner" to "owner"',
    ],
  },
  {
    title: "a word before the name, in a closed object",
    tools: [
      { properties: { owner: text, repo: text }, required: ["owner", "repo"], ...SHUT },
      z4.strictObject({ owner: z4.string(), repo: z4.string() }),
    ],
    sent: { tool_owner: "octo", repo: "hello" },
    lines: [
      "• /tool_owner (VAL-005): Unknown field 'tool_owner'",
      "  Expected: only owner, repo",
      '  Hint: rename it to "owner"',
    ],
  },
  ...[
    ["idd", "id"],
    ["cty", "city"],
    ["oner", "owner"],
    ["ubcket", "bucket"],
    ["recieveddate", "receivedDate"],
    ["city ", "city"],
    [" city", "city"],
    ["city:", "city"],
  ].map(([wrong = "", right = ""]): Row => ({
    title: `a slip in the name of the only missing field: ${wrong}`,
    tools: [
      { properties: { [right]: text }, required: [right] },
      z4.object({ [right]: z4.string() }),
      z3.object({ [right]: z3.string() }),
    ],
    sent: { [wrong]: "a" },
    lines: [
      `• /${right} (VAL-001): Required field '${right}' is missing`,
      "  Expected: string",
      `  Hint: rename "${wrong}" to "${right}"`,
    ],
  })),
  {
    title: "a consonant for one that sounds alike, in an enum",
    tools: [
      { properties: { unit: { enum: ["celsius", "fahrenheit"] } } },
      z4.object({ unit: z4.enum(["celsius", "fahrenheit"]) }),
      z3.object({ unit: z3.enum(["celsius", "fahrenheit"]) }),
    ],
    sent: { unit: "celcius" },
    lines: [
      "• /unit (VAL-008): Invalid enum value",
      '  Expected: one of "celsius", "fahrenheit"',
      '  Actual: "celcius"',
      '  Hint: use "celsius"',
    ],
  },
  {
    title: "two keys that may be the missing field",
    tools: [
      { properties: { owner: text }, required: ["owner"] },
      z4.object({ owner: z4.string() }),
    ],
    sent: { tool_owner: "octo", main_owner: "cat" },
    lines: ["• /owner (VAL-001): Required field 'owner' is missing", "  Expected: string"],
  },
  {
    title: "another word that differs in its first letter only",
    tools: [
      { properties: { weight: text }, required: ["weight"] },
      z4.object({ weight: z4.string() }),
    ],
    sent: { height: "180" },
    lines: ["• /weight (VAL-001): Required field 'weight' is missing", "  Expected: string"],
  },
  {
    title: "a misspelt key is not to be left out, even if it is not certain which one was meant",
    tools: [
      { properties: { shell: text }, ...SHUT },
      z4.strictObject({ shell: z4.string().optional() }),
    ],
    sent: { sell: "zsh" },
    lines: ["• /sell (VAL-005): Unknown field 'sell'", "  Expected: only shell"],
  },
];

const GUESTS = {
  type: "object",
  properties: { adults: { type: "integer" }, children: { type: "integer" } },
  required: ["adults"],
};
const CABIN = ["economy", "business"];

const misplaced: readonly Row[] = [
  {
    title: "the fields of an object beside it",
    tools: [
      { properties: { guests: GUESTS }, required: ["guests"], ...SHUT },
      {
        properties: { guests: { $ref: "#/$defs/g" } },
        required: ["guests"],
        ...SHUT,
        $defs: { g: GUESTS },
      },
      z4.strictObject({ guests: z4.object({ adults: z4.int(), children: z4.int().optional() }) }),
    ],
    sent: { adults: 2 },
    lines: [
      "• /adults (VAL-005): Unknown field 'adults'",
      "  Expected: only guests",
      '  Hint: move it into "guests"',
      "• /guests (VAL-001): Required field 'guests' is missing",
      "  Expected: object with adults",
    ],
  },
  {
    title: "a field beside the object that lacks it",
    tools: [{ properties: { guests: GUESTS }, ...SHUT }],
    sent: { guests: { adults: 2 }, children: 1 },
    lines: [
      "• /children (VAL-005): Unknown field 'children'",
      "  Expected: only guests",
      '  Hint: move it into "guests"',
    ],
  },
  {
    title: "a field that two objects have, and that is in one already",
    tools: [
      { properties: { from: GUESTS, to: GUESTS }, ...SHUT },
      z4.strictObject({
        from: z4.object({ adults: z4.int() }).optional(),
        to: z4.object({ adults: z4.int() }).optional(),
      }),
    ],
    sent: { adults: 2 },
    lines: ["• /adults (VAL-005): Unknown field 'adults'", "  Expected: only from, to"],
  },
  {
    title: "the fields of an item beside the array belong into an item",
    tools: [
      { properties: { rooms: { type: "array", items: GUESTS } }, ...SHUT },
      z4.strictObject({ rooms: z4.array(z4.object({ adults: z4.int() })).optional() }),
    ],
    sent: { adults: 2 },
    lines: [
      "• /adults (VAL-005): Unknown field 'adults'",
      "  Expected: only rooms",
      '  Hint: move it into an item of "rooms"',
    ],
  },
  {
    title: "a value that another field lists is not to be left out",
    tools: [
      { properties: { cabin: { enum: CABIN } }, ...SHUT },
      z4.strictObject({ cabin: z4.enum(CABIN).optional() }),
    ],
    sent: { class: "economy" },
    lines: ["• /class (VAL-005): Unknown field 'class'", "  Expected: only cabin"],
  },
  {
    title: "the whole call as arguments",
    tools: [
      { properties: { path: text }, required: ["path"], ...SHUT },
      z4.strictObject({ path: z4.string() }),
    ],
    sent: { name: "t", arguments: { path: "a.txt" } },
    lines: [
      ...LIFTED,
      "• /name (VAL-005): Unknown field 'name'",
      "  Expected: only path",
      "  Hint: leave it out",
    ],
  },
  {
    title: "the arguments in an array",
    tools: [
      { properties: { path: text }, required: ["path"] },
      z4.object({ path: z4.string() }),
      z3.object({ path: z3.string() }),
    ],
    sent: [{ path: "a.txt" }],
    lines: [
      "• (arguments) (VAL-002): Type mismatch: expected object, got array",
      "  Expected: object with path",
      '  Actual: [{"path": "a.txt"}]',
      "  Hint: send the object itself, without an array around it",
    ],
  },
  {
    title: "an object in an array, of another kind",
    tools: [{ properties: { guests: GUESTS } }],
    sent: { guests: [{ names: "Ana" }] },
    lines: [
      "• /guests (VAL-002): Type mismatch: expected object, got array",
      "  Expected: object with adults",
      '  Actual: [{"names": "Ana"}]',
    ],
  },
];

const pairs: readonly Row[] = [
  {
    title: "a list of pairs where a map is expected",
    tools: [
      { properties: { labels: { type: "object", additionalProperties: text } } },
      z4.object({ labels: z4.record(z4.string(), z4.string()) }),
    ],
    sent: { labels: [{ name: "tier", value: "web" }] },
    lines: [
      "• /labels (VAL-002): Type mismatch: expected object, got array",
      "  Expected: object of string",
      '  Actual: [{"name": "tier", "value": "web"}]',
    ],
  },
];

const day = { type: "string", format: "date" };
const moment = { type: "string", format: "date-time" };

const dates: readonly Row[] = [
  {
    title: "a time without its zone",
    tools: [{ properties: { at: moment } }, z4.object({ at: z4.iso.datetime() })],
    sent: { at: "2026-03-14T09:00:00" },
    lines: [
      "• /at (VAL-010): Invalid format",
      '  Expected: date-time string such as "2026-01-31T09:30:00Z"',
      '  Actual: "2026-03-14T09:00:00"',
      '  Hint: add the time zone, such as "Z"',
    ],
  },
  {
    title: "a day that does not exist",
    tools: [
      { properties: { on: day } },
      z4.object({ on: z4.iso.date() }),
      z3.object({ on: z3.string().date() }),
    ],
    sent: { on: "2026-02-30" },
    lines: [
      "• /on (VAL-010): Invalid format",
      '  Expected: date string such as "2026-01-31"',
      '  Actual: "2026-02-30"',
      "  Hint: use a date that exists",
    ],
  },
  {
    title: "a time where a date is expected",
    tools: [{ properties: { on: day } }, z4.object({ on: z4.iso.date() })],
    sent: { on: "2026-03-14T00:00:00Z" },
    lines: [
      "• /on (VAL-010): Invalid format",
      '  Expected: date string such as "2026-01-31"',
      '  Actual: "2026-03-14T00:00:00Z"',
      '  Hint: use "2026-03-14"',
    ],
  },
  {
    title: "a date where a time is expected",
    tools: [{ properties: { at: moment } }],
    sent: { at: "2026-03-14" },
    lines: [
      "• /at (VAL-010): Invalid format",
      '  Expected: date-time string such as "2026-01-31T09:30:00Z"',
      '  Actual: "2026-03-14"',
    ],
  },
];

const truths: readonly Row[] = [
  ...(
    [
      ["yes", "string", true],
      ["No", "string", false],
      ["off", "string", false],
      [1, "integer", true],
      [0, "integer", false],
    ] as const
  ).map(([sent, type, meant]): Row => ({
    title: `${JSON.stringify(sent)} for a boolean`,
    tools: [
      { properties: { on: { type: "boolean" } } },
      z4.object({ on: z4.boolean() }),
      z3.object({ on: z3.boolean() }),
    ],
    sent: { on: sent },
    lines: [
      `• /on (VAL-002): Type mismatch: expected boolean, got ${type}`,
      "  Expected: boolean",
      `  Actual: ${JSON.stringify(sent)}`,
      `  Hint: use ${meant}`,
    ],
  })),
  {
    title: "another number for a boolean",
    tools: [{ properties: { on: { type: "boolean" } } }],
    sent: { on: 2 },
    lines: [
      "• /on (VAL-002): Type mismatch: expected boolean, got integer",
      "  Expected: boolean",
      "  Actual: 2",
    ],
  },
  {
    title: "the other case for a pattern",
    tools: [
      { properties: { code: { ...text, pattern: "^[A-Z]{3}$" } } },
      z4.object({ code: z4.string().regex(/^[A-Z]{3}$/) }),
      z3.object({ code: z3.string().regex(/^[A-Z]{3}$/) }),
    ],
    sent: { code: "lis" },
    lines: [
      "• /code (VAL-007): Value doesn't match pattern",
      "  Expected: string matching ^[A-Z]{3}$",
      '  Actual: "lis"',
      '  Hint: use "LIS"',
    ],
  },
];

const listed = (sent: string, items: object, hint?: string): Row => ({
  title: `a list in one string: ${JSON.stringify(sent)}${hint === undefined ? ", not certain" : ""}`,
  tools: [{ properties: { list: { type: "array", items } } }],
  sent: { list: sent },
  lines: [
    "• /list (VAL-002): Type mismatch: expected array, got string",
    `  Expected: array of ${"enum" in items ? 'one of "open", "closed"' : "type" in items ? String(items.type) : "any"}`,
    `  Actual: ${JSON.stringify(sent)}`,
    ...(hint === undefined ? [] : [`  Hint: ${hint}`]),
  ],
});
const such = (...items: readonly string[]): string =>
  `send an array, such as [${items.map((item) => JSON.stringify(item)).join(", ")}]`;
const states = { enum: ["open", "closed"] };

const lists: readonly Row[] = [
  listed("1, 2", { type: "integer" }, "use [1,2]"),
  listed("1;2.5", { type: "number" }, "use [1,2.5]"),
  listed("[1, 2,]", { type: "integer" }, "use [1,2]"),
  listed("(1, 2)", { type: "integer" }, "use [1,2]"),
  listed("'1', '2'", { type: "integer" }, "use [1,2]"),
  listed("1, two", { type: "integer" }),
  listed("1, 2.5", { type: "integer" }),
  listed("open, closed", states, 'use ["open","closed"]'),
  listed("Open\nClosed", states, 'use ["open","closed"]'),
  listed("open, shut", states),
  listed("abc; def", text, such("abc", "def")),
  {
    ...listed("abc, def", text, such("abc", "def")),
    title: "a list in one string, for items of several kinds",
    tools: [
      { properties: { list: { type: "array", items: { anyOf: [text, { type: "object" }] } } } },
    ],
    lines: [
      "• /list (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string or object",
      '  Actual: "abc, def"',
      `  Hint: ${such("abc", "def")}`,
    ],
  },
  listed("abc\ndef, ghi\n", text, such("abc", "def, ghi")),
  listed(
    "- fix the login\n- deploy it, then rest",
    text,
    such("fix the login", "deploy it, then rest"),
  ),
  listed("1. first\n2. second", text, such("first", "second")),
  listed('"a b", "c"', text, such("a b", "c")),
  listed("abc, def,", text, such("abc", "def")),
  listed(
    "notes on the spring release, notes on the summer release",
    text,
    such("notes on the spring release", "notes on the summer release"),
  ),
  listed("Can you help, Ana?, I need you., Come.", text),
  listed("I need help., Can you come?", text, such("I need help.", "Can you come?")),
  listed("a small bug, which nobody has seen", text),
  listed("apples, pears and plums", text),
  listed("Please look at this, it is broken since the last release of March", text),
  {
    title: "a list in one string that a hint has no room for",
    tools: [{ properties: { tags } }],
    sent: { tags: "name, ".repeat(30) },
    lines: [
      "• /tags (VAL-002): Type mismatch: expected array, got string",
      "  Expected: array of string",
      `  Actual: "${"name, ".repeat(30).slice(0, 97)}..." (180 characters)`,
    ],
  },
];

describe.each([
  ...misplaced,
  ...pairs,
  ...dates,
  ...truths,
  ...lists,
  ...paths,
  ...numbers,
  ...lengths,
  ...never,
  ...patterns,
  ...invented,
  ...arrays,
  ...wrapped,
  ...stages,
  ...near,
])("$title", ({ tools, sent, lines }) => {
  test.each(tools.map((tool, index) => [index + 1, tool] as const))("tool %i", async (_, tool) => {
    expect(await read(tool, sent)).toEqual(lines);
  });
});
