import { createRequire } from "node:module";
import { styleText } from "node:util";
import { explain } from "@toolcontract/explain";
import { expect, test } from "vitest";
import { findAll } from "../engine/index.ts";
import type { Grade } from "../grade/index.ts";
import { readTools } from "../input/index.ts";
import { rulePage } from "../pages/index.ts";
import { RULES } from "../rules/index.ts";
import {
  badge,
  githubReport,
  jsonReport,
  markdownReport,
  type ReportedInput,
  sarifReport,
  terminalReport,
} from "./index.ts";
import { positionsIn } from "./positions.ts";

const TEXT = `{
  "tools": [
    {
      "name": "search, all",
      "description": "Searches.",
      "inputSchema": {
        "type": "object",
        "properties": {
          "sort": { "type": "integer", "default": "5", "description": "The order." }
        },
        "additionalProperties": false
      }
    }
  ]
}
`;

function inputOf(text: string): ReportedInput {
  const tools = readTools(JSON.parse(text));
  const rules = {
    "null-refused": "off",
    "provider-breaks": "off",
    "provider-refuses": "off",
  } as const;
  return {
    title: "my tools.json",
    file: "my tools.json",
    text,
    tools: findAll(tools, { rules }).map(({ findings, ...one }, index) => ({
      ...one,
      pointer: tools[index]?.pointer ?? "",
      calls: [],
      isSpared: false,
      findings: findings.map(({ finding }) => finding),
    })),
  };
}

const GRADES =
  "A grade is the share of mistaken calls, as models really make them, that come back with the fix named.";

test("SARIF is valid by its schema, and names file, line and rule", () => {
  const require = createRequire(import.meta.url);
  const schema = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as Readonly<
    Record<string, unknown>
  >;
  const log = JSON.parse(sarifReport([inputOf(TEXT)])) as {
    readonly runs: readonly { readonly results: unknown[] }[];
  };
  expect(explain(schema, log)).toEqual([]);
  expect(explain(schema, { ...log, version: "2" })).not.toEqual([]);
  expect(log.runs[0]?.results).toEqual([
    {
      ruleId: "default-invalid",
      ruleIndex: 2,
      level: "error",
      message: {
        text: 'search, all: The default "5" is refused by its own schema. Fix: write 5 without quotes',
      },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "my%20tools.json" },
            region: { startLine: 9, startColumn: 40 },
          },
          logicalLocations: [
            {
              name: "search, all",
              fullyQualifiedName: "search, all/inputSchema/properties/sort/default",
              kind: "member",
            },
          ],
        },
      ],
    },
  ]);
});

test("GitHub reads one command a finding", () => {
  expect(githubReport([inputOf(TEXT)]).split("\n")).toEqual([
    '::error file=my tools.json,line=9,col=40,title=default-invalid::search, all: The default "5" is refused by its own schema. Fix: write 5 without quotes',
    "1 error, 0 warnings and 0 notes in 1 tool, about 45 tokens of every request",
  ]);
});

test("Markdown is a table a tool, in which foreign text is text", () => {
  const hostile = TEXT.replace("search, all", "a|b <img src=x>");
  const text = markdownReport([inputOf(hostile)]);
  expect(text).toContain("### a\\|b &lt;img src=x\\>: A");
  expect(text).toContain("| error | `default-invalid` | /inputSchema/properties/sort/default |");
});

test("answers of a server are beside those of the contract", () => {
  const input = inputOf(TEXT);
  const call = {
    kind: "a number in quotes",
    weight: 1,
    path: "/sort",
    arguments: { sort: "5" },
    isSilent: false,
    isNamed: true,
    text: "- /sort (VAL-002): use 5",
  };
  const today = { outcome: "refused", text: "Bad `sort`\u001B[2J" } as const;
  const tools = input.tools.map((tool) => ({
    ...tool,
    findings: [],
    calls: [
      { ...call, today },
      { ...call, today: { outcome: "accepted", text: "done" } as const },
    ],
  }));
  const spared = { ...input, tools: input.tools.map((tool) => ({ ...tool, isSpared: true })) };
  const inputs = [{ ...input, tools }, spared];
  const sum =
    "2 calls that the schemas refuse: 1 refused (1 of the answers name the field), 1 accepted, 0 without an answer; 1 destructive tool not asked";
  const text = terminalReport(inputs, false);
  expect(text).toContain(
    [
      '    call     a number in quotes, /sort: {"sort":"5"}',
      "             today: refused",
      "               Bad `sort`",
    ].join("\n"),
  );
  expect(text).toContain(
    "             with the contract:\n               - /sort (VAL-002): use 5",
  );
  expect(text).toContain("not asked: the tool says that it is destructive");
  expect(text).toContain(sum);
  expect(text).not.toContain("\u001B");
  expect(markdownReport(inputs)).toContain("| refused: Bad \\`sort\\`");
  expect(markdownReport(inputs)).toContain(`${sum}.`);
  const [first] = (JSON.parse(jsonReport(inputs)) as { tools: { calls: object[] }[] }).tools;
  expect(first?.calls[1]).toEqual({
    kind: "a number in quotes",
    path: "/sort",
    arguments: { sort: "5" },
    contract: "- /sort (VAL-002): use 5",
    today: { outcome: "accepted", text: "done" },
  });
});

test("the badge shows the grade of all tools", () => {
  expect(badge([inputOf(TEXT)])).toMatch(/^<svg .*aria-label="tools: [ABCDF]">/);
});

test("people see colors where the terminal shows them", () => {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    styleText(style, text, { validateStream: false });
  const input = inputOf(TEXT);
  const graded = (grade: Grade, share: number): ReportedInput => ({
    ...input,
    tools: input.tools.map((tool) => ({ ...tool, findings: [], grade: { grade, share } })),
  });
  const headOf = (grade: Grade, share: number): string | undefined =>
    terminalReport([graded(grade, share)], true).split("\n")[1];
  const name = paint("bold", "search, all");
  expect(terminalReport([input], true).split("\n")).toEqual([
    paint("underline", "my tools.json"),
    `  ${name}  ${paint("green", "A")} 100 %, about 45 tokens`,
    `    ${paint("red", "error  ")}  /inputSchema/properties/sort/default: The default "5" is refused by its own schema; write 5 without quotes  ${paint("dim", "default-invalid")}`,
    "",
    "1 error, 0 warnings and 0 notes in 1 tool, about 45 tokens of every request",
    GRADES,
  ]);
  expect(headOf("B", 0.851)).toBe(`  ${name}  ${paint("green", "B")} 85 %, about 45 tokens`);
  expect(headOf("C", 0.7)).toBe(`  ${name}  ${paint("yellow", "C")} 70 %, about 45 tokens`);
  expect(headOf("F", 0)).toBe(`  ${name}  ${paint("red", "F")} 0 %, about 45 tokens`);
});

/** A tool with a finding of each severity, of which only the first one has a place and a fix of its own. */
function inputOfFindings(file?: string): ReportedInput {
  const [tool] = inputOf(TEXT).tools;
  if (!tool) throw new Error("The text has a tool");
  const finding = { tool: "search", path: "", rule: "missing-type", message: "wrong" };
  const findings = [
    { ...finding, severity: "error", path: "/a", fix: "do so" },
    { ...finding, severity: "warning", fix: "add a type" },
    { ...finding, severity: "info" },
    { ...finding, severity: "info" },
  ] as const;
  const one = { ...tool, tokens: 1_204, findings };
  const other = { ...tool, tokens: 1, findings: [] };
  return { title: "a", file, text: undefined, tools: [one, other] };
}
const SUMMARY = "1 error, 1 warning and 2 notes in 2 tools, about 1,205 tokens of every request";

test("people see notes without a place, and no fix that is that of the rule", () => {
  expect(terminalReport([inputOfFindings()], false).split("\n")).toEqual([
    "a",
    "  search, all  A 100 %, about 1,204 tokens",
    "    error    /a: wrong; do so  missing-type",
    "    warning  wrong  missing-type",
    "    note     wrong  missing-type",
    "    note     wrong  missing-type",
    "  search, all  A 100 %, about 1 token",
    "",
    SUMMARY,
    GRADES,
  ]);
});

test("GitHub reads findings of servers without a file, and signs that are its own in code", () => {
  const hostile = { ...inputOfFindings("a,b:c%\n.json"), title: "a" };
  expect(githubReport([hostile]).split("\n")[0]).toBe(
    "::error file=a%2Cb%3Ac%25%0A.json,title=missing-type::search: wrong. Fix: do so",
  );
  expect(githubReport([inputOfFindings()]).split("\n")).toEqual([
    "::error title=missing-type::search: wrong. Fix: do so",
    "::warning title=missing-type::search: wrong. Fix: add a type",
    "::notice title=missing-type::search: wrong",
    "::notice title=missing-type::search: wrong",
    SUMMARY,
  ]);
});

test("SARIF has findings of servers without a file", () => {
  const log = JSON.parse(sarifReport([inputOfFindings()])) as {
    readonly runs: readonly {
      readonly results: readonly object[];
      readonly tool: { readonly driver: { readonly rules: readonly object[] } };
    }[];
  };
  expect(log.runs[0]?.results.slice(1)).toMatchObject(
    ["warning", "note", "note"].map((level) => ({ ruleId: "missing-type", level })),
  );
  expect(log.runs[0]?.results[3]).toEqual({
    ruleId: "missing-type",
    ruleIndex: RULES.findIndex(({ name }) => name === "missing-type"),
    level: "note",
    message: { text: "search: wrong" },
    locations: [
      { logicalLocations: [{ name: "search", fullyQualifiedName: "search", kind: "member" }] },
    ],
  });
  expect(log.runs[0]?.tool.driver.rules).toEqual(
    RULES.map(({ name, severity, about, fix }) => ({
      id: name,
      shortDescription: { text: about },
      help: { text: `Fix: ${fix}.`, markdown: rulePage(name) },
      defaultConfiguration: { level: severity === "info" ? "note" : severity },
    })),
  );
});

test("Markdown has a table of findings, and one of calls", () => {
  const [one, other] = inputOfFindings().tools;
  if (!one || !other) throw new Error("There are two tools");
  const call = {
    kind: "a kind",
    weight: 1,
    path: "/a",
    arguments: { a: 1 },
    isSilent: false,
    isNamed: true,
    text: "use 5",
  };
  const calls = [call, { ...call, text: "", today: { outcome: "accepted", text: "a*b" } as const }];
  const input = { ...inputOfFindings(), tools: [{ ...one, calls }, other] };
  expect(markdownReport([input])).toBe(`## a

### search, all: A (100 %), about 1,204 tokens

|  | rule | where | what is wrong | what to do |
| --- | --- | --- | --- | --- |
| error | \`missing-type\` | /a | wrong | do so |
| warning | \`missing-type\` |  | wrong | add a type |
| note | \`missing-type\` |  | wrong |  |
| note | \`missing-type\` |  | wrong |  |

| call | arguments | today | with the contract |
| --- | --- | --- | --- |
| a kind, /a | {"a":1} | not asked | use 5 |
| a kind, /a | {"a":1} | accepted: a\\*b | accepted, although it is wrong |

### search, all: A (100 %), about 1 token

Nothing was found.

1 calls that the schemas refuse: 0 refused (0 of the answers name the field), 1 accepted, 0 without an answer.

${SUMMARY}.`);
});

test("calls are shown as they are read, the first lines of a long answer", () => {
  const [tool] = inputOf(TEXT).tools;
  if (!tool) throw new Error("The text has a tool");
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
  const call = {
    kind: "a kind",
    weight: 1,
    path: "/a",
    arguments: {},
    isSilent: false,
    isNamed: false,
  };
  const shown = (text: string): readonly string[] =>
    terminalReport(
      [{ ...inputOf(TEXT), tools: [{ ...tool, findings: [], calls: [{ ...call, text }] }] }],
      false,
    )
      .split("\n")
      .slice(2, -3)
      .map((line) => line.trim());
  const head = "call     a kind, /a: {}";
  expect(shown("")).toEqual([head, "accepted, although it is wrong"]);
  expect(shown(lines(13))).toEqual([head, ...lines(13).split("\n")]);
  expect(shown(lines(14))).toEqual([head, ...lines(12).split("\n"), "… 2 more lines"]);
});

test("answers are summed up by their outcome", () => {
  const [tool] = inputOf(TEXT).tools;
  if (!tool) throw new Error("The text has a tool");
  const call = {
    kind: "k",
    weight: 1,
    path: "/a~1b/c",
    arguments: {},
    isSilent: false,
    isNamed: false,
    text: "",
  };
  const calls = [
    { outcome: "refused", text: "a/b is wrong" },
    { outcome: "refused", text: "no" },
    { outcome: "accepted", text: "a/b" },
    { outcome: "no answer", text: "it ended" },
  ] as const;
  const asked = { ...tool, calls: calls.map((today) => ({ ...call, today })) };
  const spared = { ...tool, isSpared: true };
  const sumOf = (...tools: ReportedInput["tools"]): string | undefined =>
    terminalReport([{ ...inputOf(TEXT), tools }], false)
      .split("\n")
      .at(-3);
  const sum =
    "4 calls that the schemas refuse: 2 refused (1 of the answers name the field), 1 accepted, 1 without an answer";
  expect(sumOf(asked)).toBe(sum);
  expect(sumOf(asked, spared, spared)).toBe(`${sum}; 2 destructive tools not asked`);
  expect(sumOf(spared)).toBe(
    "0 calls that the schemas refuse: 0 refused (0 of the answers name the field), 0 accepted, 0 without an answer; 1 destructive tool not asked",
  );
  expect(sumOf(tool)).toBe("");
});

test.each([
  [[1], "A", "#2da44e"],
  [[0.9, 0.75], "B", "#7cb342"],
  [[0.7], "C", "#d4a72c"],
  [[1, 0], "D", "#e36209"],
  [[0], "F", "#cf222e"],
  [[], "F", "#cf222e"],
] as const)("the badge of tools with the shares %j is %s", (shares, grade, color) => {
  const [tool] = inputOf(TEXT).tools;
  if (!tool) throw new Error("The text has a tool");
  const tools = shares.map((share) => ({ ...tool, grade: { grade: "A" as const, share } }));
  const picture = badge([{ ...inputOf(TEXT), tools }]);
  expect(picture).toContain(`<title>tools: ${grade}</title>`);
  expect(picture).toContain(`fill="${color}"`);
});

test.each<[what: string, text: string, path: string, line: number, column: number]>([
  ["of a value", '{\n "name": "t",\n "inputSchema": {"type": 5}}', "/inputSchema/type", 3, 18],
  [
    "of the nearest value around it",
    '{\n "name": "t",\n "inputSchema": {}}',
    "/inputSchema/a/b",
    3,
    2,
  ],
  ["of a document that is one string", '  "a"', "/a", 1, 3],
])("a finding is at the position %s", (_, text, path, line, column) => {
  const [tool] = inputOf(TEXT).tools;
  if (!tool) throw new Error("The text has a tool");
  const finding = { tool: "t", path, rule: "r", message: "wrong", severity: "error" } as const;
  const tools = [{ ...tool, pointer: "", findings: [finding] }];
  expect(githubReport([{ title: "a", file: "a", text, tools }])).toContain(
    `::error file=a,line=${line},col=${column},title=r::t: wrong`,
  );
});

test("each value of a JSON text is found at its line", () => {
  const positions = positionsIn('{\n  "a": [1, {"b~/": "}"}],\n "c": {}}');
  expect(
    Object.fromEntries([...positions].map(([key, { line, column }]) => [key, `${line}:${column}`])),
  ).toEqual({
    "": "1:1",
    "/a": "2:3",
    "/a/0": "2:9",
    "/a/1": "2:12",
    "/a/1/b~0~1": "2:13",
    "/c": "3:2",
  });
});
