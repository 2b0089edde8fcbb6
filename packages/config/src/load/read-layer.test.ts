import { describe, expect, test } from "vitest";
import { type FileFormat, TOOLS_FORMAT } from "../format/index.ts";
import { createFolder } from "@toolcontract/case-table/folder";
import { originAt, readLayer } from "./read-layer.ts";

const server = {
  type: "object",
  properties: {
    base_url: { type: "string" },
    max_calls: { type: "integer", minimum: 1 },
    is_on: { type: "boolean" },
    rate: { type: "number" },
    args: { type: "array", items: { type: "string" } },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
  additionalProperties: false,
};

/** The format of a program that keeps servers beside the tools. */
const FORMAT: FileFormat = {
  ...TOOLS_FORMAT,
  own: { mcp_servers: true, tools: { validation: true } },
  schema: {
    type: "object",
    properties: { mcp_servers: { type: "object", additionalProperties: server } },
  },
  isVerbatim: (pointer) => pointer.includes("/env/"),
  isShown: () => true,
  isSecret: (pointer) => pointer.endsWith("base_url") || pointer.includes("/args/"),
  keyHint: (pointer) => `see ${pointer}`,
  ownsCamelCase: true,
};

function read(text: string, { isJson = false, environment = {} } = {}) {
  const file = { layer: "cwd", path: "/app/own.yml" } as const;
  const reading = readLayer(file, { format: FORMAT, environment, envFiles: [], text, isJson });
  return { ...reading, file };
}

/** The faults, as `path line:column code: message; hint`. */
function faultsIn(text: string, isJson = false): readonly string[] {
  return read(text, { isJson }).faults.map(
    ({ path, line, column, code, message, hint }) =>
      `${path} ${line}:${column} ${code}: ${message}${hint === undefined ? "" : `; ${hint}`}`,
  );
}

const ofA = (members: string): string => `{"mcp_servers":{"a":{${members}}}}`;

describe("fixed keys may be in camelCase in JSON", () => {
  test.each<[what: string, text: string, value: object]>([
    ["of a mapping", ofA('"baseUrl":"u","maxCalls":2'), { base_url: "u", max_calls: 2 }],
    ["of the file", '{"mcpServers":{"a":{"baseUrl":"u"}}}', { base_url: "u" }],
    ["or not", ofA('"base_url":"u"'), { base_url: "u" }],
    ["but not free ones", ofA('"env":{"baseUrl":"x"}'), { env: { baseUrl: "x" } }],
  ])("%s", (_, text, value) => {
    const { tree, faults } = read(text, { isJson: true });
    expect(faults).toEqual([]);
    expect(tree?.value).toEqual({ mcp_servers: { a: value } });
  });

  test.each<[what: string, text: string, faults: readonly string[]]>([
    [
      "a wrong value has the key as it is written",
      ofA('"maxCalls":0'),
      ["/mcp_servers/a/maxCalls 1:33 VAL-003: Value out of range"],
    ],
    [
      "a key in both spellings",
      ofA('"baseUrl":"u","base_url":"v"'),
      [
        "/mcp_servers/a/baseUrl 1:22 duplicate-name: 'baseUrl' and 'base_url' are the same key; remove \"baseUrl\"",
      ],
    ],
    [
      "a key in two spellings of camelCase",
      ofA('"baseUrl":"u","baseURL":"v"'),
      [
        "/mcp_servers/a/baseURL 1:36 duplicate-name: 'baseURL' and 'base_url' are the same key; remove \"baseURL\"",
      ],
    ],
    [
      "another key",
      ofA('"Base-Url":"u"'),
      ["/mcp_servers/a/Base-Url 1:22 VAL-005: Unknown field 'Base-Url'; rename it to \"base_url\""],
    ],
    ["no JSON", "{", [" 1:2 invalid-json: Invalid JSON: check quotes, commas and brackets"]],
    [
      "an escape",
      String.raw`{"a":"\q"}`,
      [String.raw` 1:7 invalid-json: Unknown escape in a string; write \\ for \ `.trimEnd()],
    ],
    [
      "a key twice",
      '{"a":1,"a":2}',
      [" 1:8 invalid-json: This key appears twice in one mapping; keep one of them"],
    ],
  ])("%s", (_, text, faults) => {
    expect(faultsIn(text, true)).toEqual(faults);
  });
});

describe("fixed keys may not be in camelCase in YAML", () => {
  test("of the file", () => {
    expect(faultsIn("mcpServers: {}")).toEqual([
      "/mcpServers 1:1 VAL-005: Unknown field 'mcpServers'; rename it to \"mcp_servers\"",
    ]);
    expect(faultsIn("mcp_servers: {}\nmcpServers: {}")).toEqual([
      "/mcpServers 2:1 duplicate-name: 'mcpServers' and 'mcp_servers' are the same key; remove \"mcpServers\"",
    ]);
  });

  test("of a mapping", () => {
    expect(faultsIn("mcp_servers:\n  a:\n    baseUrl: u\n")).toEqual([
      "/mcp_servers/a/baseUrl 3:5 VAL-005: Unknown field 'baseUrl'; rename it to \"base_url\"",
    ]);
  });
});

test.each<[what: string, text: string, fault: string]>([
  ["null", "base_url: null", "leave it out"],
  ["a number", "base_url: 5", "put quotes around it"],
  ["a number that may be shown", 'max_calls: "5"', "write 5 without quotes"],
  ["a key that is not near to any", "none: 5", "see /mcp_servers/a/none"],
])("the hint at %s does not repeat a secret", (_, text, hint) => {
  const { faults } = read(`mcp_servers: { a: { ${text} } }`);
  expect(faults.map((fault) => fault.hint)).toEqual([hint]);
});

describe("variables", () => {
  const environment = { N: " 4 ", F: "-1.5e2", B: "TRUE", S: "x", E: "" };
  test.each<[text: string, value: object]>([
    ["max_calls: '${N}'", { max_calls: 4 }],
    ["max_calls: '+${S}'", { max_calls: "+x" }],
    ["rate: '${F}'", { rate: -150 }],
    ["rate: '${N}'", { rate: 4 }],
    ["rate: '${S}'", { rate: "x" }],
    ["is_on: '${B}'", { is_on: true }],
    ["is_on: '${S}'", { is_on: "x" }],
    ["base_url: '${N}${B}${S}'", { base_url: " 4 TRUEx" }],
    ["base_url: 'a${E}b'", { base_url: "ab" }],
    ["args: [ '${S}', y ]", { args: ["x", "y"] }],
    ["env: { A: '${S}' }", { env: { A: "${S}" } }],
    ["other: '${S}'", { other: "${S}" }],
    ["base_url: '${none}'", {}],
    ["args: [ '${none}', y ]", { args: ["", "y"] }],
  ])("%s", (text, value) => {
    const { tree } = read(`mcp_servers: { a: { ${text} } }`, { environment });
    expect(tree?.value).toEqual({ mcp_servers: { a: value } });
  });

  test("that are not set are one fault each, with the env files that may set them", () => {
    const text = "mcp_servers: { a: { base_url: '${one}${two}${one}' } }";
    expect(read(text).faults).toMatchObject(
      ["one", "two"].map((name) => ({
        code: "missing-variable",
        path: "/mcp_servers/a/base_url",
        message: `Variable '${name}' is not set for the cwd layer`,
        expected: `${name} in the .env file beside it or in the environment`,
      })),
    );
  });

  test("several in one value are named in the hint", () => {
    const { faults } = read("mcp_servers: { a: { max_calls: '${S}${B}' } }", { environment });
    expect(faults).toMatchObject([{ hint: "change the variables S and B", actual: '"${S}${B}"' }]);
  });

  test("the first env file that sets one wins, and one that cannot be read is a fault", () => {
    const { folder, write } = createFolder({ one: "A=1\n", two: "\uFEFFA=2\nB=2\n" });
    const broken = write("three", Buffer.from([0xff]));
    const { tree, faults } = readLayer(
      { layer: "cwd", path: `${folder}/own.yml` },
      {
        format: FORMAT,
        environment: { A: "3", B: "3", C: "3" },
        envFiles: [`${folder}/one`, `${folder}/two`, broken, folder, `${folder}/none`],
        text: "mcp_servers: { a: { base_url: '${A}${B}${C}' } }",
      },
    );
    expect(tree?.value).toEqual({ mcp_servers: { a: { base_url: "123" } } });
    expect(faults).toMatchObject([{ file: broken, line: 1, column: 1, code: "unreadable-file" }]);
  });
});

test("where a value is set is known, with what it was written as", () => {
  const environment = { S: "x" };
  const text = "mcp_servers:\n  a:\n    base_url: ${S}\n    max_calls: 2\n";
  const reading = read(text, { environment });
  const { file, tree, variables } = reading;
  if (!tree) throw new Error("The file can be read");
  const at = (key: string) => originAt(`/mcp_servers/a/${key}`, file, { tree, variables });
  const origin = { layer: "cwd", file: "/app/own.yml", column: 15 };
  expect(at("base_url")).toEqual({ ...origin, line: 3, template: "${S}" });
  expect(at("max_calls")).toEqual({ ...origin, column: 16, line: 4 });
  expect(at("none")).toBeUndefined();
});

describe("a file that is too large", () => {
  const MESSAGE = "The settings nest too deeply or repeat too much through aliases";
  const nested = (depth: number): string => `mcp_servers: ${"[".repeat(depth)}${"]".repeat(depth)}`;
  test.each([
    ["is nested too deeply", nested(40), [MESSAGE]],
    ["has too many values", `mcp_servers: [${"1,".repeat(10_001)}]`, [MESSAGE]],
  ])("%s", (_, text, messages) => {
    expect(read(text).faults.map(({ message }) => message)).toEqual(messages);
  });

  test("counts only the settings of its own format", () => {
    expect(read(`others: ${"[".repeat(40)}${"]".repeat(40)}\nmcp_servers: {}`).faults).toEqual([]);
  });
});

test.each([
  ["a list", "mcp_servers: { a: { args: [ 1 ] } }", "/mcp_servers/a/args/0", 1, 29],
  ["a list with holes", "mcp_servers:\n  a:\n    args:\n      -\n", "/mcp_servers/a/args/0", 4, 8],
  [
    "a key without a value",
    "mcp_servers:\n  a:\n    max_calls:\n",
    "/mcp_servers/a/max_calls",
    3,
    15,
  ],
  ["an alias", "x: &x 0\nmcp_servers: { a: { max_calls: *x } }", "/mcp_servers/a/max_calls", 2, 32],
])("a fault in %s has its place", (_, text, path, line, column) => {
  expect(read(text).faults).toMatchObject([{ path, line, column }]);
});
