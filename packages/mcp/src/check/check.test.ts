import { afterEach, describe, expect, test } from "vitest";
import { closePairs, sendJson, startPair } from "../testing/http-proxy.ts";
import { addServer } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { connectHttp, listTools, reportOf, Unreached } from "./index.ts";

afterEach(closePairs);

const CLIENT = { name: "check", version: "1" };
const object = { type: "object" } as const;

/** The report on a server with these tools. */
function report(tools: readonly unknown[], off: readonly string[] = []): string {
  return reportOf(
    { server: "shop 1.0", tools },
    { contract: {}, isOff: (name) => off.includes(name) },
  );
}

describe("the report", () => {
  test("has a line for each tool", () => {
    const tools = [
      { name: "add", description: "Adds", inputSchema: object },
      { name: "remove", description: "Removes", inputSchema: object },
    ];
    expect(report(tools, ["remove"])).toBe(
      "shop 1.0 was reached: 2 tools, 1 guarded\n  add: guarded\n  remove: not guarded; --tool turns it off\n",
    );
  });

  test.each<[string, object, RegExp]>([
    ["no schema", {}, /odd: not guarded; it has no input schema\n/],
    ["an empty description", { description: "", inputSchema: object }, /it has no description\n/],
    ["an empty name", { name: "", inputSchema: object }, /\(no name\): not guarded; a tool must/],
    [
      "a schema of nothing that exists",
      { inputSchema: { ...object, properties: 7 } },
      /properties|compile/,
    ],
    ["another type", { inputSchema: { type: "string" } }, /has no "type": "object"/],
    [
      "an unknown dialect",
      { inputSchema: { ...object, $schema: "urn:none" } },
      /odd: not guarded; its schema is of an unknown dialect\n/,
    ],
    [
      "a broken keyword",
      { inputSchema: { ...object, required: ["a"], properties: { a: { type: "strng" } } } },
      /left out at \/properties\/a/,
    ],
  ])("names %s", (_, tool, words) => {
    expect(report([{ name: "odd", description: "Odd", ...tool }])).toMatch(words);
  });

  test("names twins, missing names and descriptions, and hides control characters", () => {
    const twin = { name: "twin\u{1B}[2J", description: "Twin", inputSchema: object };
    const text = report([
      twin,
      twin,
      { inputSchema: object },
      { name: "bare", inputSchema: object },
    ]);
    expect(text.match(/not guarded; it is listed twice/g)).toHaveLength(2);
    expect(text).toContain("(no name): not guarded; a tool must have a name");
    expect(text).toContain("bare: guarded; it has no description");
    expect(text).not.toContain("\u{1B}");
  });
});

describe("over HTTP", () => {
  test("a session is opened, read to the last page, and ended", async () => {
    const pair = await startPair(({ request, message }, response) => {
      const { id, method, params } = message;
      if (request.method === "DELETE") return void response.writeHead(204).end();
      if (method === "initialize") {
        response.setHeader("mcp-session-id", "s1");
        const result = { protocolVersion: "2025-06-18", serverInfo: { name: "shop" } };
        return sendJson(response, { jsonrpc: "2.0", id, result });
      }
      if (method === "notifications/initialized") return void response.writeHead(202).end();
      const isLast = "cursor" in Object(params);
      const result = isLast
        ? { tools: [{ name: "b" }] }
        : { tools: [{ name: "a" }], nextCursor: "2" };
      return sendJson(response, { jsonrpc: "2.0", id, result });
    });
    const connection = connectHttp(new URL(pair.url), [["Authorization", "Bearer x"]], 5_000);
    const listed = await listTools(connection, CLIENT);
    await connection.close();
    expect(listed).toEqual({ server: "shop", tools: [{ name: "a" }, { name: "b" }] });
    const last = pair.seen.at(-1)?.request;
    expect([last?.method, last?.headers["mcp-session-id"]]).toEqual(["DELETE", "s1"]);
    expect(pair.seen[1]?.request.headers).toMatchObject({
      authorization: "Bearer x",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-method": "notifications/initialized",
      "mcp-protocol-version": "2025-06-18",
    });
  });

  test("a stateless server is asked at once", async () => {
    const pair = await startPair(({ message: { id, method } }, response) => {
      const error = { code: -32_601, message: "Method not found" };
      const answer = method === "initialize" ? { error } : { result: { tools: [{ name: "a" }] } };
      sendJson(response, { jsonrpc: "2.0", id, ...answer });
    });
    const connection = connectHttp(new URL(pair.url), [], 5_000);
    const listed = await listTools(connection, CLIENT);
    await connection.close();
    expect(listed).toEqual({ server: "", tools: [{ name: "a" }] });
    expect(pair.seen).toHaveLength(2);
    const [initialize, list] = pair.seen;
    expect(initialize?.message["params"]).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: CLIENT,
    });
    expect(list?.request.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    });
    expect(list?.message["params"]).toEqual({
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    });
  });

  test("answers in event streams are found among other messages, also behind credentials in the URL", async () => {
    const pair = await startPair(({ message: { id, method } }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const result =
        method === "initialize"
          ? { protocolVersion: "2025-06-18", serverInfo: { name: "shop", version: "2.1" } }
          : { tools: [{ name: "a" }] };
      for (const message of [
        { jsonrpc: "2.0", method: "notifications/message", params: {} },
        { jsonrpc: "2.0", id: 99, result: {} },
        { jsonrpc: "2.0", id, result },
      ])
        response.write(`data: ${JSON.stringify(message)}\n\n`);
    });
    const url = new URL(pair.url);
    [url.username, url.password] = ["user", "hunter2"];
    const listed = await listTools(connectHttp(url, [], 5_000), CLIENT);
    expect(listed).toEqual({ server: "shop 2.1", tools: [{ name: "a" }] });
  });

  const events = { "content-type": "text/event-stream" };
  const json = { "content-type": "application/json" };
  const initialized = JSON.stringify({ jsonrpc: "2.0", id: 1, result: {} });
  const endless = { tools: [], nextCursor: "again" };
  test.each<[string, number, Readonly<Record<string, string>>, string, RegExp]>([
    ["wants credentials", 401, {}, "", /status 401: .* --header/],
    ["forbids it", 403, {}, "", /status 403: .* --header/],
    ["is no MCP server", 404, {}, "", /answered initialize with status 404 and no message/],
    ["streams nothing", 204, events, "", /status 204 and no message/],
    ["streams no answer", 200, events, "data: {}\n\n", /status 200 and no message/],
    ["lists no tools", 200, json, initialized, /does not list its tools/],
    [
      "never ends its list",
      200,
      json,
      JSON.stringify({ jsonrpc: "2.0", id: 1, result: endless }),
      /has no end/,
    ],
  ])("one that %s is said so", async (_, status, headers, body, words) => {
    const pair = await startPair((_seen, response) => {
      response.writeHead(status, headers).end(body);
    });
    const listing = listTools(connectHttp(new URL(pair.url), [], 5_000), CLIENT);
    await expect(listing).rejects.toThrow(Unreached);
    await expect(listing).rejects.toThrow(words);
  });

  test("one that never answers is said so", async () => {
    const pair = await startPair(() => undefined);
    const listing = listTools(connectHttp(new URL(pair.url), [], 20), CLIENT);
    await expect(listing).rejects.toThrow(new Unreached("it did not answer within 20 ms"));
  });
});

describe("--check", () => {
  test("names every tool of a server on stdio and ends with 0", async () => {
    const { code, output } = await runMain(["--check", ...script(addServer())]);
    expect(code).toBe(0);
    expect(output).toMatch(/was reached: 1 tools, 1 guarded\n {2}add: guarded/);
  });

  test.each<[string, readonly string[], RegExp]>([
    ["that does not exist", ["--", "no-such-command"], /command not found/],
    ["that ends", script("process.exit(7)"), /ended with exit code 7/],
    [
      "that ends before it answers",
      script("process.stdin.once('data', () => process.exit(7))"),
      /ended with exit code 7 before it answered initialize/,
    ],
    ["that cannot be reached", ["--upstream", "http://127.0.0.1:2/mcp"], /ECONNREFUSED/],
  ])("a server %s is said so, with exit code 3", async (_, args, words) => {
    const { code, errors } = await runMain(["--check", ...args]);
    expect(code).toBe(3);
    expect(errors).toMatch(words);
  });
});
