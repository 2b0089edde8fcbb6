import { describe, expect, test } from "vitest";
import { expectLinearCost } from "@toolcontract/case-table/cost";
import { configuredServers, withoutComments } from "./index.ts";

const plain = { args: [], env: {}, headers: {} };

describe("the configuration of a client", () => {
  test.each<[what: string, document: unknown, servers: readonly object[]]>([
    ["of Claude", { mcpServers: { a: { command: "x" } } }, [{ name: "a", command: "x", ...plain }]],
    ["of VS Code", { servers: { a: { url: "u" } } }, [{ name: "a", url: "u", ...plain }]],
    [
      "of VS Code's settings",
      { mcp: { servers: { a: { url: "u" } } } },
      [{ name: "a", url: "u", ...plain }],
    ],
    [
      "with another key",
      { mcp: { mcpServers: { a: { url: "u" } } } },
      [{ name: "a", url: "u", ...plain }],
    ],
    [
      "with empty servers of one client and those of another",
      { mcpServers: {}, servers: { a: { url: "u" } } },
      [{ name: "a", url: "u", ...plain }],
    ],
    [
      "with what is not a server",
      { mcpServers: { a: { url: "u" }, b: 5, c: {}, d: { command: 5, url: 5 } } },
      [{ name: "a", url: "u", ...plain }],
    ],
    ["with servers that are off", { mcpServers: { a: { url: "u", disabled: true } } }, []],
    [
      "with variables",
      {
        mcpServers: {
          a: {
            command: "${BIN}/x",
            cwd: "${env:HOME}",
            args: ["${BIN}", "${none}", "$BIN", 5],
            env: { KEY: "${BIN}-${BIN}" },
            url: "http://${BIN}",
            headers: { Authorization: "Bearer ${BIN}", n: 5 },
          },
        },
      },
      [
        {
          name: "a",
          command: "bin/x",
          cwd: "/home/bob",
          args: ["bin", "${none}", "$BIN", "5"],
          env: { KEY: "bin-bin" },
          url: "http://bin",
          headers: { Authorization: "Bearer bin", n: "5" },
        },
      ],
    ],
    [
      "with members of the wrong kind",
      { mcpServers: { a: { command: "x", args: "y", env: [], headers: 5, cwd: 5 } } },
      [{ name: "a", command: "x", ...plain }],
    ],
  ])("%s", (_, document, servers) => {
    expect(configuredServers(document, { BIN: "bin", HOME: "/home/bob" })).toEqual(servers);
  });

  test.each([
    [[]],
    ["a"],
    [{}],
    [{ mcpServers: {} }],
    [{ servers: [5] }],
    [{ mcp: {} }],
    [{ tools: [] }],
  ])("is not %j", (document) => {
    expect(configuredServers(document, {})).toBeUndefined();
  });
});

test.each([
  ["{} // a comment", {}],
  ['{ "a": 1 /* one\n, two */ }', { a: 1 }],
  ['{ "a": [1, 2, ], }', { a: [1, 2] }],
  ['{ "a": [1, // last\n ] }', { a: [1] }],
  ['{ "a": [1, /* last */ ] }', { a: [1] }],
  ['{ "a": "// no, comment" }', { a: "// no, comment" }],
  ['{ "a": "/* no */", "b": ",}" }', { a: "/* no */", b: ",}" }],
  [String.raw`{ "a": "\"// no" }`, { a: '"// no' }],
  ['{ "a": 1,// one\n"b": 2 }', { a: 1, b: 2 }],
])("%j is JSON without its comments and last commas", (text, value) => {
  expect(JSON.parse(withoutComments(text))).toEqual(value);
});

test.each(["/*", '"', "//\n", ", ", '"\\"', "[ ,"])(
  "comments are removed in linear time from many %j",
  async (part) => {
    await expectLinearCost((size) => {
      const text = part.repeat(size);
      return () => withoutComments(text);
    }, 20_000);
  },
);
