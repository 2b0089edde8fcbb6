import { describe, expect, test } from "vitest";
import { explain } from "../../index.ts";

/** The only finding at the field `x`, or at another one, of a schema with it. */
function found(field: object, value: unknown, name = "x"): { hint?: string; expected?: string } {
  const schema = { type: "object", properties: { [name]: field }, required: [name] };
  const [finding] = explain(schema, { [name]: value });
  const { hint, expectedValue: expected } = finding ?? {};
  return { ...(hint !== undefined && { hint }), ...(expected !== undefined && { expected }) };
}

const text = (description?: string): object => ({
  type: "string",
  ...(description && { description }),
});

describe("a number for a text is written as one, unless the description states another form", () => {
  test.each([
    "Such as 1h 30m",
    "RFC3339 or now-1h",
    "Duration, such as 5m",
    "How long, e.g. `2w`",
    "Start of the window (ISO 8601)",
    "Date in YYYY-MM-DD",
    "Time spent. For example 3d 4h",
    "Cron expression",
    "The due date of the task",
    "Size with a unit, like 10Gi",
    "JSON text of the fields",
  ])("%s", (description) => {
    const { hint, expected } = found(text(description), 3600);
    expect(hint).toBeUndefined();
    expect(expected).toMatch(/^string \(.+\)$/);
  });

  test("the form is shown, wherever in the description it stands", () => {
    const about = "Time spent on the task. Use a form such as 1h 30m";
    expect(found(text(about), 3600).expected).toBe("string (Use a form such as 1h 30m)");
    const short = { ...text(about), maxLength: 9 };
    expect(found(short, 3600).expected).toBe(
      "string, at most 9 characters (Use a form such as 1h 30m)",
    );
  });

  test.each([
    undefined,
    "Task id",
    "Number of the issue, such as 42",
    "Id of the page, e.g. 12345",
    "Unix time in seconds",
    "What to search for",
    "Postal code",
  ])("but not by %s", (description) => {
    expect(found(text(description), 3600).hint).toBe('use "3600"');
  });

  test("also beside null, where the description stands around the union", () => {
    const started = { anyOf: [{ type: "string" }, { type: "null" }], description: "ISO time" };
    expect(found(started, 1767571200)).toEqual({ expected: "string or null (ISO time)" });
  });
});

describe("a boolean is not a literal where an id, a path or a name is meant", () => {
  test.each([
    ["cwd", "Folder to run in", false],
    ["confirm_cost_id", "Id of the confirmation", true],
    ["channel", undefined, true],
    ["message", "What to say", false],
  ] as const)("%s (%s)", (name, about, value) => {
    expect(found(text(about), value, name).hint).toBeUndefined();
  });

  test.each([
    ["value", undefined],
    ["default_value", undefined],
    ["is_open", undefined],
    ["setting", undefined],
    ["mode", 'Either "true" or "false"'],
  ])("it is for %s (%s)", (name, about) => {
    expect(found(text(about), true, name).hint).toBe('use "true"');
  });

  test("and in a map, and where it is listed", () => {
    const labels = { type: "object", additionalProperties: { type: "string" } };
    expect(
      explain({ properties: { labels } }, { labels: { canary: true, tier: 1 } }),
    ).toMatchObject([{ hint: 'use "true"' }, { hint: 'use "1"' }]);
    expect(found({ type: "string", enum: ["true", "all"] }, true).hint).toBe('use "true"');
  });
});

describe("what has a type and a value is data, unless the type is its value's", () => {
  test.each([
    [{ type: "string", value: "x" }, 'use "x"'],
    [{ type: "group", value: "x" }, undefined],
    [{ type: "integer", value: "x" }, undefined],
  ])("%o: %s", (value, hint) => {
    expect(found(text(), value).hint).toBe(hint);
  });
});

const TEXT = "send one string, not an array";
const EACH = "one value only: call the tool once for each";

describe("several values where one is wanted", () => {
  test.each([
    ["command", "Shell command", ["npm", "test"], TEXT],
    ["content", "Whole text of the file", ["x", "y"], TEXT],
    ["sql", undefined, ["create table a(x int)", "drop table b"], TEXT],
    ["newStr", undefined, ["a", "b"], TEXT],
    ["keys", "Keys to press", ["ctrl", "a"], TEXT],
    ["stationNames", undefined, ["A", "B"], TEXT],
    ["labels", undefined, ["A", "B"], TEXT],
    ["step", undefined, ["first line\nsecond line", "b"], TEXT],
    ["components", "Names, separated by commas", ["A", "B"], 'use "A,B"'],
    ["components", "Comma-separated list of names", ["A", "B"], 'use "A,B"'],
    ["components", "A comma-delimited string", ["A", "B"], 'use "A,B"'],
    ["stationNames", "Stations, separated by |", ["A", "B"], 'use "A|B"'],
    ["stationNames", "Stations, separated by a vertical bar", ["A", "B"], 'use "A|B"'],
    ["ids", "Ids separated by ';'", ["1", "2"], 'use "1;2"'],
    ["hosts", "One host per line", ["a", "b"], String.raw`use "a\nb"`],
    ["scope", "Space-separated scopes", ["read", "write"], 'use "read write"'],
    ["city", "City", ["Rome", "Oslo"], EACH],
    ["status", "Status", ["open", "closed"], EACH],
    ["issue_key", "Key of the issue", ["DEV-1", "DEV-2"], EACH],
    ["address", "Where to deliver", ["Here", "There"], EACH],
  ])("%s (%s): %j", (name, about, value, hint) => {
    expect(found(text(about), value, name).hint).toBe(hint);
  });

  test("around a union with null", () => {
    const components = {
      anyOf: [{ type: "string" }, { type: "null" }],
      description: "separated by commas",
    };
    expect(found(components, ["A", "B"], "components").hint).toBe('use "A,B"');
  });

  test("of a list or a number", () => {
    expect(
      found({ enum: ["open", "closed"], type: "string" }, ["open", "closed"], "status").hint,
    ).toBe(EACH);
    expect(found({ type: "integer" }, [1, 2], "page").hint).toBe(EACH);
    expect(found({ type: "integer" }, [1, 2], "pages").hint).toBe("one value only");
  });

  test("below an array, where all the rest would be sent again", () => {
    const item = { type: "object", properties: { kind: { type: "string" } } };
    const schema = {
      properties: { claim: { type: "string" }, docs: { type: "array", items: item } },
    };
    const sent = { claim: "c", docs: [{ kind: ["license", "report"] }] };
    expect(explain(schema as never, sent)).toMatchObject([{ hint: "one value only" }]);
  });
});

describe("digits that are not known as they were sent are not written", () => {
  test.each([
    [7, 'use "7"'],
    [3.1, "put it in quotes, as you mean it"],
    [1e21, undefined],
    [Infinity, undefined],
  ])("%d", (value, hint) => {
    expect(found(text(), value).hint).toBe(hint);
  });

  test.each([
    [["3.9", "3.10", "3.1"], 3.1, undefined],
    [["3.9", "3.1"], 3.1, undefined],
    [["1", "1.0"], 1, undefined],
    [["1", "2"], 1, 'use "1"'],
    [["30", "60"], 30, 'use "30"'],
  ])("of %j, at %d: %s", (values, value, hint) => {
    expect(found({ enum: values }, value).hint).toBe(hint);
  });
});

describe("long lists", () => {
  const values = (count: number): string[] =>
    Array.from({ length: count }, (_, at) => `item_${at.toString(36)}_x`);
  test.each([
    [400, "ITEM_B1_X", 'use "item_b1_x"'],
    [800, "ITEM_M5_X", 'use "item_m5_x"'],
    [1_600, "ITEM_18D_X", 'use "item_18d_x"'],
    [1_600, "itme_18d_x", undefined],
    [20_000, "ITEM-FFA-X", 'use "item_ffa_x"'],
  ])("of %d values: %s", (count, sent, hint) => {
    expect(found({ enum: values(count) }, sent).hint).toBe(hint);
  });

  test("of fields: the same but for its case is found, and no neighbour in a part of them", () => {
    const properties = Object.fromEntries(values(1_600).map((name) => [name, text()]));
    const closed = { type: "object", properties, additionalProperties: false };
    const hints = (sent: object): unknown => explain(closed as never, sent).map(({ hint }) => hint);
    expect(hints({ ITEM_18D_X: "v" })).toEqual(['rename it to "item_18d_x"']);
    expect(hints({ item_18d_xx: "v" })).toEqual([undefined]);
  });

  test.each([
    ["Berlin", "Europe/Berlin"],
    ["New York", "America/New_York"],
    ["tokyo", "Asia/Tokyo"],
  ])("that are cut begin with the closest: %s", (sent, first) => {
    const zones = Intl.supportedValuesOf("timeZone");
    expect(found({ enum: zones }, sent).expected).toMatch(`one of "${first}", `);
    expect(found({ enum: ["c", "b", "a"] }, "a b").expected).toBe('one of "c", "b", "a"');
  });
});
