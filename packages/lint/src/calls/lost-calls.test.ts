import { expect, test } from "vitest";
import { fieldName, lostCalls, readLog } from "./index.ts";

const MISSING = { path: "/path", code: "VAL-001" };
const WORD = { path: "/encoding", code: "VAL-008" };

const refused = (tool: string, errors: readonly object[], more: object = {}): string =>
  JSON.stringify({
    level: "warn",
    message: "Tool validation failed",
    tool_name: tool,
    error_count: errors.length,
    retry_attempt: 1,
    max_retries: 3,
    errors,
    ...more,
  });
const recovered = (tool: string, attempt: number, more: object = {}): string =>
  JSON.stringify({
    level: "info",
    message: "Tool call recovered",
    tool_name: tool,
    retry_attempt: attempt,
    ...more,
  });

test.each<[what: string, lines: readonly string[], rows: readonly string[]]>([
  ["nothing", [], []],
  ["one refused call", [refused("read", [MISSING])], ["read /path VAL-001: 1 - 0"]],
  [
    "one that recovers",
    [refused("read", [MISSING]), recovered("read", 2)],
    ["read /path VAL-001: 1 - 1"],
  ],
  [
    "those with the most lost calls first",
    [
      refused("read", [WORD]),
      refused("read", [WORD]),
      recovered("read", 3),
      refused("read", [MISSING]),
    ],
    ["read /path VAL-001: 1 - 0", "read /encoding VAL-008: 2 - 2"],
  ],
  [
    "only the calls that came before it recover",
    [refused("read", [WORD]), refused("read", [MISSING]), recovered("read", 2)],
    ["read /encoding VAL-008: 1 - 0", "read /path VAL-001: 1 - 1"],
  ],
  [
    "another tool's calls do not",
    [refused("read", [WORD]), recovered("write", 2)],
    ["read /encoding VAL-008: 1 - 0"],
  ],
  [
    "nor those of another request",
    [
      refused("read", [WORD], { correlation_id: "a" }),
      recovered("read", 2, { correlation_id: "b" }),
    ],
    ["read /encoding VAL-008: 1 - 0"],
  ],
  [
    "a fault in many items is one of the field",
    [
      refused("send", [
        { path: "/to/0/name", code: "VAL-001" },
        { path: "/to/12/name", code: "VAL-001" },
      ]),
    ],
    ["send /to/*/name VAL-001: 1 - 0"],
  ],
  [
    "lines of others, with something in front, and broken ones",
    [
      "server started",
      '{"tool_name":"read","errors":"none"}',
      '{"tool_name":',
      `2026-11-28T12:00:00Z stderr ${refused("read", [MISSING])}`,
      recovered("read", 2).replace('"message"', '"msg"'),
      '{"level":"info","tool_name":"read","message":"Tool arguments repaired"}',
    ],
    ["read /path VAL-001: 1 - 1"],
  ],
])("%s", (_what, lines, rows) => {
  const found = lostCalls(readLog(lines.join("\n")));
  expect(
    found.map(
      ({ tool, field, code, ...counts }) =>
        `${tool} ${field} ${code}: ${counts.refused} - ${counts.recovered}`,
    ),
  ).toEqual(rows);
  for (const { refused: all, recovered: some, lost } of found) expect(lost).toBe(all - some);
});

test.each([
  ["", "(arguments)"],
  ["/path", "path"],
  ["/to/*/name", "to[].name"],
  ["/a~1b/c", "a/b.c"],
])("%j is %s for people", (field, name) => {
  expect(fieldName(field)).toBe(name);
});
