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
    ["no schema", {}, /not guarded; it has no input schema/],
    [
      "a schema of nothing that exists",
      { inputSchema: { ...object, properties: 7 } },
      /properties|compile/,
    ],
    ["another type", { inputSchema: { type: "string" } }, /has no "type": "object"/],
    ["an unknown dialect", { inputSchema: { ...object, $schema: "urn:none" } }, /unknown dialect/],
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
      "mcp-protocol-version": "2025-06-18",
    });
  });

  test("a stateless server is asked at once", async () => {
    const pair = await startPair(({ message: { id, method } }, response) => {
      const error = { code: -32_601, message: "Method not found" };
      const answer = method === "initialize" ? { error } : { result: { tools: [{ name: "a" }] } };
      sendJson(response, { jsonrpc: "2.0", id, ...answer });
    });
    const listed = await listTools(connectHttp(new URL(pair.url), [], 5_000), CLIENT);
    expect(listed.tools).toEqual([{ name: "a" }]);
    expect(pair.seen[1]?.request.headers["mcp-protocol-version"]).toBe("2026-07-28");
  });

  test.each<[string, number, string]>([
    ["wants credentials", 401, "--header"],
    ["is no MCP server", 404, "status 404"],
  ])("one that %s is said so", async (_, status, words) => {
    const pair = await startPair((_seen, response) => void response.writeHead(status).end());
    const listing = listTools(connectHttp(new URL(pair.url), [], 5_000), CLIENT);
    await expect(listing).rejects.toThrow(Unreached);
    await expect(listing).rejects.toThrow(words);
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
    ["that cannot be reached", ["--upstream", "http://127.0.0.1:2/mcp"], /ECONNREFUSED/],
  ])("a server %s is said so, with exit code 3", async (_, args, words) => {
    const { code, errors } = await runMain(["--check", ...args]);
    expect(code).toBe(3);
    expect(errors).toMatch(words);
  });
});
