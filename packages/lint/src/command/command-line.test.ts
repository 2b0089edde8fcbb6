import { expect, test } from "vitest";
import { RULES } from "../rules/index.ts";
import { readCommandLine, UsageError } from "./command-line.ts";

const words = (line: string): readonly string[] => line.split(" ").filter((word) => word !== "");
const USUAL = {
  asks: "lint",
  files: [],
  command: [],
  urls: [],
  headers: [],
  isFixed: false,
  badge: undefined,
  log: undefined,
  format: "terminal",
  maxWarnings: undefined,
  withProof: false,
  isAsking: false,
  rules: {},
};

test.each<[line: string, asked: object]>([
  ["--help", { asks: "help" }],
  ["a.json -h", { asks: "help" }],
  ["--why slow-pattern", { asks: "why", rule: "slow-pattern" }],
  ["a.json b.json", { ...USUAL, files: ["a.json", "b.json"] }],
  ["-- npx server --help", { ...USUAL, command: ["npx", "server", "--help"] }],
  ["a.json --ask -- x --", { ...USUAL, files: ["a.json"], isAsking: true, command: ["x", "--"] }],
  ["--url http://a --url http://b", { ...USUAL, urls: ["http://a", "http://b"] }],
  [
    "--url u --header Authorization:Bearer --header x:a:b",
    {
      ...USUAL,
      urls: ["u"],
      headers: [
        ["Authorization", "Bearer"],
        ["x", "a:b"],
      ],
    },
  ],
  [
    "a --fix --proof --badge b.svg",
    { ...USUAL, files: ["a"], isFixed: true, withProof: true, badge: "b.svg" },
  ],
  ...["terminal", "json", "sarif", "markdown", "github"].map((format): [string, object] => [
    `a --format ${format}`,
    { ...USUAL, files: ["a"], format },
  ]),
  ["a --calls b.log", { ...USUAL, files: ["a"], log: "b.log" }],
  ["a --max-warnings 0", { ...USUAL, files: ["a"], maxWarnings: 0 }],
  ["a --max-warnings 999999999", { ...USUAL, files: ["a"], maxWarnings: 999_999_999 }],
  [
    "a --rule slow-pattern=off --rule token-cost=error --rule missing-type=info --rule quoted-enum=warning",
    {
      ...USUAL,
      files: ["a"],
      rules: {
        "slow-pattern": "off",
        "token-cost": "error",
        "missing-type": "info",
        "quoted-enum": "warning",
      },
    },
  ],
])("%s", (line, asked) => {
  expect(readCommandLine(words(line))).toEqual(asked);
});

test("a header has spaces", () => {
  const line = readCommandLine(["--url", "u", "--header", " Authorization :  Bearer t "]);
  expect(line).toMatchObject({ headers: [["Authorization", "Bearer t"]] });
});

const OPTIONS =
  "--format, --max-warnings, --rule, --for, --proof, --ask, --calls, --why, --url, --header, --fix, --badge, --help";
const NAMES = RULES.map(({ name }) => name).join(", ");

test.each([
  ["", "name what to lint: a JSON file, --url <address>, or -- <command> of an MCP server."],
  ["--", "name what to lint: a JSON file, --url <address>, or -- <command> of an MCP server."],
  ["a --calls", "--calls needs a value."],
  ["a --calls b --format sarif", "there is no format 'sarif'. There is terminal, json, markdown."],
  ["a --format xml", "there is no format 'xml'. There is terminal, json, sarif, markdown, github."],
  ["a -x", `there is no option '-x'. There is ${OPTIONS}.`],
  ["a --prof", "there is no option '--prof'. Did you mean '--proof'?"],
  ["a --format", "--format needs a value."],
  ["a --format --fix", "--format needs a value."],
  ["a --fix=yes", "--fix takes no value."],
  ["a --help=yes", "--help takes no value."],
  ["--why none-such", `there is no rule 'none-such'. There is ${NAMES}.`],
  ["a --rule slow-pattern=of", "--rule takes <name>=off, error, warning or info."],
  ["a --rule slow-patern=off", "there is no rule 'slow-patern'. Did you mean 'slow-pattern'?"],
  ["a --header secret", "--header must be <name>: <value>."],
  ["a --header :secret", "--header must be <name>: <value>."],
  ["a --max-warnings -1", "--max-warnings needs a value."],
  ["a --max-warnings 1.5", "--max-warnings must be a whole number."],
  ["a --max-warnings 1000000000", "--max-warnings must be a whole number."],
  [`--why ${"a".repeat(80)}`, `there is no rule '${"a".repeat(64)}'. There is ${NAMES}.`],
])("%j is answered with what to do instead", (line, message) => {
  expect(() => readCommandLine(words(line))).toThrow(new UsageError(message));
});
