import { ToolContractError } from "@toolcontract/explain";
import { describe, expect, test } from "vitest";
import { readTools } from "../input/index.ts";
import { lintTools, type LintOptions } from "./index.ts";

const schema = { type: "object", properties: { a: { type: "string" } } };
const document = { name: "t", description: "d", inputSchema: schema };

test.each<[rules: object, message: string]>([
  [{ "no-rule": "off" }, "lint: there is no rule 'no-rule'."],
  [{ ["a".repeat(80)]: "off" }, `lint: there is no rule '${"a".repeat(64)}'.`],
  [{ "missing-type": "fatal" }, "lint: rule 'missing-type' must be off, error, warning or info."],
])("the rules %j are refused", (rules, message) => {
  expect(() => lintTools([], { rules } as LintOptions)).toThrow(new ToolContractError(message));
});

test("a rule may be off or have another severity, and errors come first", () => {
  const severitiesOf = (rules: LintOptions["rules"]): readonly string[] =>
    lintTools(readTools(document), { rules: rules ?? {}, grade: false }).findings.map(
      ({ rule, severity }) => `${severity} ${rule}`,
    );
  expect(severitiesOf({})).toEqual([
    "warning missing-description",
    "info null-refused",
    "info undeclared-accepted",
    "info provider-refuses",
    "info provider-refuses",
  ]);
  expect(
    severitiesOf({
      "missing-description": "off",
      "null-refused": "warning",
      "provider-refuses": "error",
    }),
  ).toEqual([
    "error provider-refuses",
    "error provider-refuses",
    "warning null-refused",
    "info undeclared-accepted",
  ]);
});

test("a tool is graded unless that is not wanted", () => {
  const gradeOf = (options?: LintOptions): unknown => lintTools(readTools(document), options).tools;
  expect(gradeOf()).toMatchObject([{ name: "t", grade: "D" }]);
  expect(gradeOf({ grade: true })).toMatchObject([{ grade: "D" }]);
  expect(gradeOf({ grade: false })).toEqual([{ name: "t", grade: "A", share: 1, tokens: 26 }]);
});

describe("a tool that a provider refuses gets an F, however good its messages would be", () => {
  const good = (name: string) => ({
    name,
    description: "Finds a book.",
    inputSchema: {
      type: "object",
      properties: { isbn: { type: "string", description: "The ISBN." } },
      required: ["isbn"],
      additionalProperties: false,
    },
  });
  const refused = { ...good("t"), inputSchema: { ...good("t").inputSchema, anyOf: [{}] } };

  test.for<readonly [what: string, tools: readonly unknown[], LintOptions, first: string]>([
    ["as all take it", [good("t")], {}, "A"],
    ["as some refuse it", [refused], {}, "F"],
    ["as those refuse it who were not asked about", [refused], { for: ["mcp"] }, "A"],
    ["with the rule off", [refused], { rules: { "provider-breaks": "off" } }, "A"],
    ["with the rule as a note", [refused], { rules: { "provider-breaks": "info" } }, "A"],
    ["as one of too many", Array.from({ length: 129 }, (_, at) => good(`t${at}`)), {}, "A"],
  ])("%s", ([, tools, options, first]) => {
    expect(lintTools(readTools({ tools }), options).tools[0]?.grade).toBe(first);
  });
});

describe("the tokens of a tool", () => {
  const sentOf = (tool: unknown): unknown => {
    const sent: unknown[] = [];
    lintTools(readTools(tool), {
      grade: false,
      countTokens: (text) => sent.push(JSON.parse(text)),
    });
    return sent[0];
  };

  test("are those of what a model reads", () => {
    const ofClients = { outputSchema: schema, annotations: {}, _meta: {}, icons: [], extra: 1 };
    expect(sentOf({ ...document, ...ofClients })).toEqual({ ...document, extra: 1 });
  });

  test.each<[messages: readonly string[], tokens: number, options: LintOptions]>([
    [[], 1_000, {}],
    [["The tool takes about 1001 tokens of every request"], 1_001, {}],
    [
      [
        "The tool takes about 10001 tokens of every request",
        "All 1 tools take about 10001 tokens of every request",
      ],
      10_001,
      {},
    ],
    [["The tool takes about 10000 tokens of every request"], 10_000, {}],
    [["The tool takes about 250 tokens of every request"], 250, { maxToolTokens: 249 }],
    [[], 250, { maxToolTokens: 250, maxListTokens: 250 }],
    [["All 1 tools take about 250 tokens of every request"], 250, { maxListTokens: 249 }],
    [["The tool takes 1001 tokens of every request"], 100, { countTokens: () => 1_001 }],
  ])("are reported: %j", (messages, tokens, options) => {
    const toolOf = (words: number) => readTools({ ...document, description: "x ".repeat(words) });
    const [short] = lintTools(toolOf(10), { grade: false }).tools;
    const rest = short!.tokens - 10;
    const { findings } = lintTools(toolOf(tokens - rest), { grade: false, ...options });
    const costs = findings.filter(({ rule }) => rule === "token-cost");
    expect(costs.map(({ message }) => message)).toEqual(messages);
  });
});
