import { expectCostBelow } from "@toolcontract/case-table/cost";
import { describe, expect, test } from "vitest";
import { readResponse } from "../../wire/index.ts";
import { readUpstreamRejection, type RejectedCall } from "./upstream-rejection.ts";

function result(text: string, isError = true): unknown {
  return { result: { isError, content: [{ type: "text", text }] } };
}

function error(code: number, message: string, data?: unknown): unknown {
  return { error: { code, message, data } };
}

function read(answer: unknown, name = "ping", ...faults: readonly string[]) {
  const response = readResponse({ jsonrpc: "2.0", id: 1, ...(answer as object) });
  const call: RejectedCall = { name, faults };
  return response && readUpstreamRejection(response, call);
}

/** zod's issues, as its version 3 writes them into the message of an error. */
function issues(...list: readonly object[]): string {
  return JSON.stringify(list, undefined, 2);
}

const wrongType = (expected: string, received: string, ...path: readonly (string | number)[]) => ({
  code: "invalid_type",
  expected,
  received,
  path,
  message: received === "undefined" ? "Required" : `Expected ${expected}, received ${received}`,
});

// What servers said when they were run: package and version, the tool, the arguments at fault, the answer.
const SEEN: readonly (readonly [string, string, readonly string[], unknown])[] = [
  [
    "@modelcontextprotocol/server-everything 2026.8.31",
    "echo",
    ["/message"],
    result(
      "MCP error -32602: Input validation error: Invalid arguments for tool echo: Invalid input: expected string, received undefined at message",
    ),
  ],
  [
    "@modelcontextprotocol/server-everything 2026.8.31, an unknown tool",
    "no_such_tool",
    [],
    result("MCP error -32602: Tool no_such_tool not found"),
  ],
  [
    "@upstash/context7-mcp 4.1.1",
    "resolve-library-id",
    ["/query"],
    result(
      "Input validation error: Invalid arguments for tool resolve-library-id: query: Invalid input: expected string, received object",
    ),
  ],
  [
    "@upstash/context7-mcp 4.1.1, an unknown tool",
    "no_such_tool",
    [],
    error(-32602, "Tool no_such_tool not found"),
  ],
  [
    "chrome-devtools-mcp 1.11.0",
    "click",
    ["/pageId"],
    result(
      "Input validation error: Invalid arguments for tool click: pageId: Invalid input: expected number, received string",
    ),
  ],
  [
    "@sentry/mcp-server 0.36.0",
    "find_teams",
    ["/organizationSlug"],
    result(
      "MCP error -32602: Input validation error: Invalid arguments for tool find_teams: Required at organizationSlug",
    ),
  ],
  [
    "exa-mcp-server 3.4.1",
    "web_search_exa",
    ["/query"],
    result(
      `MCP error -32602: Input validation error: Invalid arguments for tool web_search_exa: ${issues(wrongType("string", "undefined", "query"))}`,
    ),
  ],
  [
    "firecrawl-mcp 3.22.2",
    "firecrawl_map",
    ["/limit"],
    error(
      -32602,
      "MCP error -32602: Tool 'firecrawl_map' parameter validation failed: limit: Invalid input: expected number, received string. Please check the parameter types and values according to the tool's schema.",
    ),
  ],
  [
    "@modelcontextprotocol/server-github 2025.4.8",
    "list_issues",
    ["/page"],
    error(-32603, `Invalid input: ${JSON.stringify([wrongType("number", "string", "page")])}`),
  ],
  [
    "@modelcontextprotocol/server-github 2025.4.8, an enum",
    "list_issues",
    ["/state"],
    error(
      -32603,
      'Invalid input: [{"received":"nope","code":"invalid_enum_value","options":["open","closed","all"],"path":["state"],"message":"Invalid enum value. Expected \'open\' | \'closed\' | \'all\', received \'nope\'"}]',
    ),
  ],
  [
    "@modelcontextprotocol/server-github 2025.4.8, an unknown tool",
    "no_such_tool",
    [],
    error(-32603, "Unknown tool: no_such_tool"),
  ],
  [
    "@modelcontextprotocol/server-gitlab 2025.4.25 with zod 3.25.76",
    "create_repository",
    ["/visibility"],
    error(
      -32603,
      "Invalid arguments: visibility: Expected 'private' | 'internal' | 'public', received null",
    ),
  ],
  [
    "@modelcontextprotocol/server-gitlab 2025.4.25 with zod 3.25.76, several",
    "create_or_update_file",
    ["/project_id", "/file_path"],
    error(-32603, "Invalid arguments: project_id: Required, file_path: Required"),
  ],
  [
    "figma-developer-mcp 0.13.2",
    "get_figma_data",
    ["/nodeId"],
    result("Invalid nodeId: Expected string, received null"),
  ],
  [
    "figma-developer-mcp 0.13.2, inside a list",
    "download_figma_images",
    ["/nodes/0/nodeId"],
    result("Invalid nodes[].nodeId: Required"),
  ],
  [
    "@wonderwhy-er/desktop-commander 0.2.52",
    "start_search",
    ["/pattern"],
    result(
      `Invalid arguments for start_search: ${issues(wrongType("string", "number", "pattern"))}`,
    ),
  ],
  [
    "@wonderwhy-er/desktop-commander 0.2.52, other tools",
    "read_file",
    ["/offset"],
    result(`Error: ${issues(wrongType("number", "string", "offset"))}`),
  ],
  [
    "@wonderwhy-er/desktop-commander 0.2.52, an unknown tool",
    "no_such_tool",
    [],
    result("Error: Unknown tool: no_such_tool"),
  ],
  [
    "@modelcontextprotocol/server-brave-search 0.6.2",
    "brave_web_search",
    ["/query"],
    result("Error: Invalid arguments for brave_web_search"),
  ],
  [
    "@notionhq/notion-mcp-server 2.5.2, an unknown tool",
    "no_such_tool",
    [],
    error(-32603, "Method no_such_tool not found"),
  ],
  [
    "tavily-mcp 0.2.22, an unknown tool",
    "no_such_tool",
    [],
    error(-32601, "MCP error -32601: Unknown tool: no_such_tool"),
  ],
];

// What SDKs of other languages and other validators say; the beginnings, as far as anything hangs on them.
const KNOWN: readonly (readonly [string, readonly string[], unknown])[] = [
  ["Python's low-level server", [], result("Input validation error: '5' is not of type 'integer'")],
  [
    "FastMCP",
    ["/n"],
    result("Error executing tool ping: 1 validation error for pingArguments\nn\n  Field required"),
  ],
  [
    "FastMCP, inside a list",
    ["/rows/0/n"],
    result(
      "2 validation errors for pingArguments\nid\n  …\nrows.0.n\n  Input should be a valid int",
    ),
  ],
  ["FastMCP, an unknown tool", [], result("Unknown tool: pong")],
  ["a tool not found", [], result("Tool not found: pong")],
  ["a handler of one's own", [], error(-32603, "No such tool")],
  ["Go", ["/n"], result("json: cannot unmarshal string into Go struct field Args.n of type int")],
  ["Rust", [], result('invalid type: string "5", expected i64 at line 1 column 8')],
  [".NET", ["/n"], result("The JSON value could not be converted to System.Int32. Path: $.n | 1")],
  ["SDK v2, malformed", [], error(-32602, "Invalid tools/call request: [ … ]")],
  [
    "SDK v1, malformed",
    [""],
    error(-32603, issues(wrongType("record", "string", "params", "arguments"))),
  ],
  ["SDK v1, a task", [], error(-32602, "Invalid task creation result: [ … ]")],
  [
    "Playwright's words",
    ["/url"],
    result('### Error\nInvalid arguments for tool "browser_navigate":\n✖ Invalid input'),
  ],
  ["issues in an error's data", ["/n"], error(-32603, "Bad", [wrongType("number", "string", "n")])],
  [
    "zod 4",
    ["/n"],
    result(
      '[\n  {\n    "expected": "number",\n    "code": "invalid_type",\n    "path": [\n      "n"\n    ],\n    "message": "Invalid input: expected number, received string"\n  }\n]',
    ),
  ],
  [
    "an undeclared name, which is reported at its object",
    ["/rows/0/extra"],
    result(issues({ code: "unrecognized_keys", keys: ["extra"], path: ["rows", 0], message: "…" })),
  ],
  ["a union, which is reported as a whole", ["/to/id"], result(issues(wrongType("x", "y", "to")))],
  ["a path in quotes", ["/a/b"], result('Bad request: "a.b": Expected number, received string')],
];

// What tools say that did run. Repeating the call would repeat what they did.
const OWN: readonly (readonly [string, readonly string[], unknown])[] = [
  ["a file that is missing", ["/path"], result("ENOENT: no such file or directory, stat 'path'")],
  [
    "issues with the response of an API",
    ["/page"],
    error(-32603, `Invalid input: ${issues(wrongType("string", "null", "content", "sha"))}`),
  ],
  [
    "issues with the whole response of an API",
    ["/page"],
    error(-32603, `Invalid input: ${issues(wrongType("object", "array"))}`),
  ],
  [
    "errors of GraphQL",
    ["/query"],
    result('[{"type":"NOT_FOUND","path":["query"],"message":"Could not resolve to a Repository"}]'),
  ],
  [
    "errors with codes of one's own",
    ["/amount"],
    result('{"errors":[{"code":"DECLINED","field":"amount","message":"The card was declined"}]}'),
  ],
  ["a failed test", ["/n"], result("AssertionError: Expected 5, received 4")],
  ["a failed test of a type", ["/n"], result("sum.test: Expected number, received string")],
  ["another field", ["/n"], result("Invalid response: total: Expected number, received null")],
  ["a longer name", ["/n"], result("column: Required. The table has no column")],
  [
    "Go reading the response of an API",
    ["/n"],
    result("json: cannot unmarshal string into Go struct field Issue.id of type int"),
  ],
  [
    "Rust reading the response of an API",
    ["/n"],
    result("error decoding response body: invalid type: null, expected a string at line 1"),
  ],
  [
    ".NET reading the response of an API",
    ["/n"],
    result("The JSON value could not be converted to System.Int32. Path: $.items[0].id | 1"),
  ],
  [
    "Python reading the response of an API",
    ["/n"],
    result("1 validation error for Issue\nid\n  Input should be a valid integer"),
  ],
  ["arguments of another program", ["/n"], result("Invalid arguments for git push: no remote")],
  ["a search that found nothing", ["/n"], result("No tools match the query; tool not installed")],
  ["a list that is cut", ["/n"], result('[{"code":"invalid_type","path":["n"],"message":"Exp…')],
  ["a number that is out of range", ["/id"], result("Invalid resourceId: -1. Must be positive.")],
];

describe("a server's response to an invalid call", () => {
  test.each(SEEN)("%s: a rejection of %s, replaced by ours", (_, name, faults, answer) => {
    expect(read(answer, name, ...faults)).toEqual({ extra: [] });
  });

  test.each(KNOWN)("%s: a rejection, replaced by ours", (_, faults, answer) => {
    expect(read(answer, "ping", ...faults)).toEqual({ extra: [] });
  });

  test.each(OWN)("%s: the error of a tool that ran is kept", (_, faults, answer) => {
    expect(read(answer, "ping", ...faults)?.extra).toHaveLength(1);
  });

  test.each([
    ["a success", result("Input validation error: as the log says", false)],
    ["a success that does not say so", { result: { content: [] } }],
    ["a question back", { result: { resultType: "input_required", inputRequests: {} } }],
    ["a time-out", error(-32001, "Request timed out")],
    ["headers that do not match", error(-32020, "Input validation error")],
    ["an unknown method", error(-32601, "Method not found")],
  ])("%s is not a rejection", (_, answer) => {
    expect(read(answer)).toBeUndefined();
  });

  test.each([
    ["no content", { result: { isError: true } }],
    ["content of another form", { result: { isError: true, content: [null, 5] } }],
    ["no message", { error: { code: -32603 } }],
  ])("an error with %s is one", (_, answer) => {
    expect(read(answer)?.extra).toBeInstanceOf(Array);
  });

  test("megabytes of text cost little", async () => {
    const faults = Array.from({ length: 20 }, (_, index) => `/rows/${index}/n`);
    const units = ["[{", '[{"', "Tool ", "validation error for ", "invalid type: ", "rows[]", " "];
    const texts = units.map((unit) => result(unit.repeat(1_000_000)));
    await expectCostBelow(500, () => {
      for (const text of texts) read(text, "ping", ...faults);
    });
  });
});
