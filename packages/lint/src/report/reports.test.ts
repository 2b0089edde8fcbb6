import { createRequire } from "node:module";
import { explain } from "@toolcontract/explain";
import { expect, test } from "vitest";
import { findAll } from "../engine/index.ts";
import { readTools } from "../input/index.ts";
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
  const rules = { "null-refused": "off", "provider-refuses": "off" } as const;
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
      ruleIndex: 1,
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
    "1 error, 0 warnings and 0 notes in 1 tool, 48 tokens of every request",
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
