import { describe, expect, test } from "vitest";
import { compareRecordings, type Files, renderDifference } from "./compare.ts";

const FILE = "core/codes.jsonl";
const TEXT = { turn: 1, text: { content: "Required field 'path' is missing" } };
const LOG = { log: { fields: { level: "warn", retry_attempt: 1 }, message: "failed" } };
const SPAN = {
  span: { name: "execute_tool read", attributes: { attempt: 1, outcome: "rejected" } },
};
const COUNTER = { counter: { name: "toolcontract.calls", value: 1 } };
const EVENTS = [{ event: { name: "call-admitted" } }, { event: { name: "call-executed" } }];
const ALL = [TEXT, LOG, SPAN, COUNTER, ...EVENTS];

function recording(lines: readonly object[], name = "a case", file = FILE): Files {
  const text = lines.map((line) => `${JSON.stringify({ case: name, ...line })}\n`).join("");
  return new Map([[file, text]]);
}

/** The differences between all lines and all lines with a change, as they are printed. */
function printed(change: (line: object) => readonly object[]): readonly string[] {
  const changed = recording(ALL.flatMap(change));
  return compareRecordings(recording(ALL), changed).map(renderDifference);
}

function replaced(line: object, now: object): (one: object) => readonly object[] {
  return (one) => [one === line ? now : one];
}

describe("a difference says in which case and of which kind it is, and what differs", () => {
  test.each<[string, (line: object) => readonly object[], string]>([
    [
      "a changed word in a text",
      replaced(TEXT, { turn: 1, text: { content: "Required field 'path' is absent" } }),
      `text
  - {"turn":1,"text":{"content":"Required field 'path' is missing"}}
  + {"turn":1,"text":{"content":"Required field 'path' is absent"}}`,
    ],
    [
      "a changed field of a log line",
      replaced(LOG, { log: { ...LOG.log, fields: { level: "warn", retry_attempt: 2 } } }),
      `log
  - {"log":{"fields":{"level":"warn","retry_attempt":1},"message":"failed"}}
  + {"log":{"fields":{"level":"warn","retry_attempt":2},"message":"failed"}}`,
    ],
    [
      "a missing attribute of a span",
      replaced(SPAN, { span: { ...SPAN.span, attributes: { attempt: 1 } } }),
      `span
  - …"span":{"name":"execute_tool read","attributes":{"attempt":1,"outcome":"rejected"}}}
  + …"span":{"name":"execute_tool read","attributes":{"attempt":1}}}`,
    ],
    [
      "a counter that counts twice",
      replaced(COUNTER, { counter: { ...COUNTER.counter, value: 2 } }),
      `counter
  - {"counter":{"name":"toolcontract.calls","value":1}}
  + {"counter":{"name":"toolcontract.calls","value":2}}`,
    ],
    [
      "a log line that is written twice",
      (line) => (line === LOG ? [line, line] : [line]),
      'log\n  + {"log":{"fields":{"level":"warn","retry_attempt":1},"message":"failed"}}',
    ],
    [
      "events in another order",
      (line) => (line === EVENTS[0] ? [...EVENTS].toReversed() : line === EVENTS[1] ? [] : [line]),
      "event\n  the same lines in another order",
    ],
  ])("%s", (_, change, expected) => {
    expect(printed(change)).toEqual([`${FILE}: a case: ${expected}`]);
  });

  test("a case, or a file, that only one recording has", () => {
    const here = compareRecordings(recording([TEXT]), recording([TEXT], "another case"));
    expect(here.map(({ name, removed, added }) => [name, removed.length, added.length])).toEqual([
      ["a case", 1, 0],
      ["another case", 0, 1],
    ]);
    const moved = compareRecordings(recording([TEXT]), recording([TEXT], "a case", "mcp.jsonl"));
    expect(moved.map(({ file }) => file)).toEqual([FILE, "mcp.jsonl"]);
  });

  test("of many and long lines only the first three, around what differs", () => {
    const lines = (end: string) =>
      Array.from({ length: 5 }, (_, index) => ({ text: "x".repeat(500) + end + index }));
    const [difference] = compareRecordings(recording(lines("a")), recording(lines("b")));
    const shown = renderDifference(difference!);
    expect(shown).toContain(`  - …${"x".repeat(60)}a0"}\n  + …${"x".repeat(60)}b0"}`);
    expect(shown.split("\n")).toHaveLength(8);
    expect(shown.endsWith("  … and 2 more")).toBe(true);
  });
});

test("nothing differs between equal recordings, whatever the order of their cases", () => {
  expect(compareRecordings(recording(ALL), recording(ALL))).toEqual([]);
  const [one = "", other = ""] = ["a", "b"].map((name) => recording(ALL, name).get(FILE));
  const both = (text: string): Files => new Map([[FILE, text]]);
  expect(compareRecordings(both(one + other), both(other + one))).toEqual([]);
});
