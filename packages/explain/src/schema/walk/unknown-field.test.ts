import { explainedInWords, findingLine } from "../../testing/explained.ts";
import { expect, test } from "vitest";

const text = { type: "string" };
const flag = { type: "boolean" };
const edits = { type: "array", items: { properties: { op: text, path: text }, required: ["op"] } };
const NO_OPTION = "no such option: if the call needs it, ask the user";

test.each<[title: string, fields: object, sent: object, stray: string, hint: string | undefined]>([
  ["a condition", { table: text }, { table: "users", where: "id=5" }, "where", NO_OPTION],
  ["a rehearsal", { path: text }, { path: "/a", dry_run: true }, "dry_run", NO_OPTION],
  ["a scope", { name: text }, { name: "web", namespace: "prod" }, "namespace", NO_OPTION],
  ["what is held back", { id: text }, { id: "7", force: false }, "force", NO_OPTION],
  ["an empty list of all", { all: flag }, { all: true, ids: [] }, "ids", NO_OPTION],
  ["beside fields of other types", { q: text, n: flag }, { q: "x", limit: 5 }, "limit", NO_OPTION],
  [
    "beside one of its type",
    { q: text, max: { type: "integer" } },
    { q: "x", limit: 5 },
    "limit",
    undefined,
  ],
  [
    "beside a list of its type",
    { q: text, tags: { type: "array", items: text } },
    { q: "x", label: "a" },
    "label",
    undefined,
  ],
  [
    "beside an object",
    { q: text, options: { type: "object" } },
    { q: "x", limit: 5 },
    "limit",
    undefined,
  ],
  [
    "an object beside any",
    { q: text, n: flag },
    { q: "x", range: { from: 1 } },
    "range",
    undefined,
  ],
  ["null", { table: text }, { table: "users", where: null }, "where", "leave it out"],
  ["nothing", { table: text }, { table: "users", where: " " }, "where", "leave it out"],
  ["a reason", { table: text }, { table: "users", reason: "asked to" }, "reason", "leave it out"],
  [
    "a number of the request",
    { table: text },
    { table: "users", requestId: "r1" },
    "requestId",
    "leave it out",
  ],
  [
    "approval that is not needed",
    { cmd: text },
    { cmd: "ls", requires_approval: false },
    "requires_approval",
    "leave it out",
  ],
  [
    "approval that is needed",
    { cmd: text },
    { cmd: "rm", requires_approval: true },
    "requires_approval",
    NO_OPTION,
  ],
  [
    "the same value twice",
    { path: text },
    { path: "a", file_path: "a" },
    "file_path",
    "leave it out",
  ],
  [
    "another value for one field",
    { path: text },
    { path: "a", file_path: "b" },
    "file_path",
    undefined,
  ],
  [
    "the shape of one field",
    { id: text, edits },
    { id: "d", patches: [{ op: "a", path: "b" }] },
    "patches",
    'did you mean "edits"?',
  ],
  [
    "the shape of two fields",
    { id: text, edits, undo: edits },
    { id: "d", patches: [{ op: "a", path: "b" }] },
    "patches",
    undefined,
  ],
  [
    "the shape of what it leaves out",
    { id: text, edits },
    { id: "d", skipped: [{ op: "a", path: "b" }] },
    "skipped",
    undefined,
  ],
])("an unknown field, %s", (_, properties, sent, stray, hint) => {
  const schema = { type: "object", properties, additionalProperties: false };
  const found = explainedInWords(schema, sent)?.find(({ path }) => path[0] === stray);
  expect(found?.hint).toBe(hint);
});

test("a field that only another branch of a union declares is an option of the tool", () => {
  const branch = (kind: string, properties: object): object => ({
    properties: { kind: { const: kind }, ...properties },
    required: ["kind"],
    additionalProperties: false,
  });
  const schema = { oneOf: [branch("all", {}), branch("some", { ids: {} })] };
  const [found] = explainedInWords(schema, { kind: "all", ids: ["7"] }) ?? [];
  expect(found && findingLine(found, found.expected, found.hint)).toBe("VAL-005 /ids | only kind");
});

test("a field that a branch of a composed schema may take is not denied", () => {
  const schema = {
    properties: { table: text },
    allOf: [{ properties: { filter: text } }],
    unevaluatedProperties: false,
  };
  const [found] = explainedInWords(schema, { table: "users", where: "id=5" }) ?? [];
  expect(found && findingLine(found, found.expected, found.hint)).toBe(
    "VAL-005 /where | only table, filter",
  );
});
