import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runLint } from "./index.ts";

interface Report {
  readonly findings: readonly {
    readonly severity: string;
    readonly rule: string;
    readonly tool: string;
    readonly path: string;
  }[];
  readonly tools: readonly {
    readonly name: string;
    readonly grade: string;
    readonly calls?: readonly { readonly today?: { readonly outcome: string } }[];
  }[];
}

/** Lints in a folder with these files, and reads the JSON. */
async function lint(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  own: object = {},
) {
  // Inside the package, so that modules find what they import.
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-lint-")));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const out: string[] = [];
  const errors: string[] = [];
  const [first = [], rest = []] = args.includes("--")
    ? [args.slice(0, args.indexOf("--")), args.slice(args.indexOf("--"))]
    : [args];
  const code = await runLint([...first, "--format", "json", ...rest], {
    cwd,
    env: { ...process.env, ...own },
    print: (line) => void out.push(line),
    warn: (line) => void errors.push(line),
  });
  const report = out.length === 0 ? undefined : (JSON.parse(out.join("\n")) as Report);
  return { code, report, errors: errors.join("\n") };
}

const require = createRequire(import.meta.url);
const EVERYTHING = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const FILESYSTEM = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const MEMORY = require.resolve("@modelcontextprotocol/server-memory/dist/index.js");
const THINKING = require.resolve("@modelcontextprotocol/server-sequential-thinking/dist/index.js");
const NOTION = require.resolve("@notionhq/notion-mcp-server/bin/cli.mjs");
const NODE = process.execPath;

test("the report on the page is that of the server", async () => {
  const lines: string[] = [];
  await runLint(["--", NODE, FILESYSTEM, tmpdir()], {
    cwd: tmpdir(),
    env: process.env,
    print: (text) => void lines.push(...text.split("\n")),
    warn: (line) => void lines.push(line),
  });
  const page = readFileSync(new URL("../../../../docs/lint.md", import.meta.url), "utf8");
  const [, shown = ""] = /## A report[^`]*`[^`]*`[^`]*```txt\n(.*?)```/s.exec(page) ?? [];
  expect(shown).not.toBe("");
  expect(shown.split("\n").filter((line) => !lines.includes(line))).toEqual([]);
});

describe("running MCP servers", () => {
  test.concurrent.each([
    ["everything", EVERYTHING, ["stdio"], 12, [], {}],
    ["filesystem", FILESYSTEM, [tmpdir()], 10, ["--ask"], { "missing-description": 18 }],
    ["memory", MEMORY, [], 9, [], { "missing-description": 4 }],
    ["sequential-thinking", THINKING, [], 1, [], {}],
    ["notion", NOTION, [], 15, [], { "missing-description": 39, "near-equal-names": 1 }],
  ] as const)(
    "%s is linted without an error or a warning that is not true",
    async (name, script, args, least, flags, warnings) => {
      const { code, report, errors } = await lint(
        [...flags, "--", NODE, script, ...args],
        {},
        { NOTION_TOKEN: "none" },
      );
      expect(errors).toBe("");
      expect(report?.tools.length).toBeGreaterThanOrEqual(least);
      // Each was read: none of these servers has an error, and all of these warnings are true.
      const found = report?.findings.filter(({ severity }) => severity !== "info") ?? [];
      const counts: Record<string, number> = {};
      for (const { rule } of found) counts[rule] = (counts[rule] ?? 0) + 1;
      expect(counts).toEqual(warnings);
      expect(found.filter(({ severity }) => severity === "error")).toEqual([]);
      expect({ name, code }).toEqual({ name, code: 0 });
      const calls = report?.tools.flatMap((tool) => tool.calls ?? []) ?? [];
      const outcomes = new Set(calls.map(({ today }) => today?.outcome));
      expect(calls.length > 30).toBe(flags.length > 0);
      expect(outcomes).toEqual(new Set(flags.map(() => "refused")));
    },
  );

  test.each([
    ["a command that is not there", ["--", "no-such-command"], "command not found"],
    ["a server that ends", ["--", NODE, "-e", "process.exit(3)"], "it ended with exit code 3"],
    [
      "a server that answers with an error",
      [
        "--",
        NODE,
        "-e",
        "process.stdin.on('data',(line)=>console.log(JSON.stringify({id:JSON.parse(line).id,error:{code:-32000,message:'no'}})))",
      ],
      "it answered with error -32000: no",
    ],
    ["an address that nobody listens on", ["--url", "http://127.0.0.1:9/mcp"], "no connection"],
  ])("%s cannot be read", async (_, args, reason) => {
    const { code, report, errors } = await lint(args);
    expect({ code, report }).toEqual({ code: 2, report: undefined });
    expect(errors).toContain(reason);
  });
});

const TOOL = {
  name: "search",
  description: "Searches.",
  inputSchema: { type: "array", enum: ["a"] },
};

describe("a server over HTTP", () => {
  async function serve(isStream: boolean, isStateless = false): Promise<string> {
    const answer = (authorization: string | undefined, body: string, response: ServerResponse) => {
      const { id, method, params } = JSON.parse(body || "{}") as Record<string, never>;
      if (authorization !== "Bearer t") return response.writeHead(401).end();
      if (id === undefined) return response.writeHead(202).end();
      if (isStateless && method === "initialize")
        return response.end(JSON.stringify({ id, error: { code: -32_601, message: "none" } }));
      const isFirst = (params as { cursor?: string } | undefined)?.cursor === undefined;
      const page = isFirst
        ? { tools: [TOOL], nextCursor: "2" }
        : { tools: [{ ...TOOL, name: "find" }] };
      const result = method === "tools/list" ? page : {};
      const text = JSON.stringify({ jsonrpc: "2.0", id, result });
      const type = isStream ? "text/event-stream" : "application/json";
      response.writeHead(200, { "content-type": type, "mcp-session-id": "s" });
      const note = 'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n';
      return response.end(isStream ? `${note}event: message\ndata: ${text}\n\n` : text);
    };
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => answer(request.headers.authorization, body, response));
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  test.each([true, false])("all its pages are read, as a stream: %s", async (isStream) => {
    const url = await serve(isStream);
    const { code, report } = await lint(["--url", url, "--header", "Authorization: Bearer t"]);
    expect(report?.tools).toMatchObject([
      { name: "search", grade: "F" },
      { name: "find", grade: "F" },
    ]);
    expect(code).toBe(1);
  });

  test("the stateless protocol is read, too", async () => {
    const url = await serve(false, true);
    const { report } = await lint(["--url", url, "--header", "Authorization: Bearer t"]);
    expect(report?.tools.map(({ name }) => name)).toEqual(["search", "find"]);
  });

  test("what it refuses is said without the header", async () => {
    const { code, errors } = await lint([
      "--url",
      await serve(false),
      "--header",
      "Authorization: Bearer secret",
    ]);
    expect(code).toBe(2);
    expect(errors).toMatch(
      /cannot be listed: it answered with status 401: pass what it wants with --header\.$/,
    );
    expect(errors).not.toContain("secret");
  });
});

describe("the configuration of an MCP client", () => {
  const server = {
    command: NODE,
    args: [MEMORY],
    env: { MEMORY_FILE_PATH: "${FOLDER}/m" },
  };

  test.each([
    ["Claude and Cursor", { mcpServers: { memory: server } }],
    ["VS Code", { servers: { memory: { type: "stdio", ...server } } }],
    ["VS Code's settings", { mcp: { servers: { memory: server } } }],
  ])("all servers of %s are linted", async (_, config) => {
    const text = `// mine\n${JSON.stringify(config).replace(/\}$/, ",}")}`;
    const { code, report } = await lint(["mcp.json"], { "mcp.json": text }, { FOLDER: tmpdir() });
    expect(code).toBe(0);
    expect(report?.tools.map(({ name }) => name)).toContain("create_entities");
  });

  test("a server that fails does not hide the others", async () => {
    const config = {
      mcpServers: {
        broken: { command: "no-such-command" },
        memory: server,
        off: { command: "x", disabled: true },
      },
    };
    const { code, report, errors } = await lint(["mcp.json"], {
      "mcp.json": JSON.stringify(config),
    });
    expect(code).toBe(2);
    expect(report?.tools.length).toBe(9);
    expect(errors).toBe("toolcontract lint: mcp.json: broken cannot be listed: command not found.");
  });
});

describe("a module that exports tools", () => {
  const AI = JSON.stringify(import.meta.resolve("ai"));
  const LANGCHAIN = JSON.stringify(import.meta.resolve("@langchain/core/tools"));
  const ZOD = JSON.stringify(import.meta.resolve("zod"));

  test("of the AI SDK, LangChain and zod", async () => {
    const text = `
      import { tool, jsonSchema } from ${AI};
      import { tool as langchainTool } from ${LANGCHAIN};
      import { z } from ${ZOD};
      const execute = async () => "done";
      export const tools = {
        weather: tool({ description: "Weather.", inputSchema: z.object({ city: z.string() }), execute }),
        raw: tool({ description: "Raw.", inputSchema: jsonSchema({ type: "object", properties: { n: { type: "integer", default: "x" } } }), execute }),
      };
      export const search = langchainTool(execute, { name: "search_docs", description: "Searches.", schema: z.object({ q: z.string() }) });
      export const Order = z.object({ id: z.string() }).describe("An order.");
    `;
    const { report, errors } = await lint(["tools.mjs"], { "tools.mjs": text });
    expect(errors).toBe("");
    expect(report?.tools.map(({ name }) => name).toSorted()).toEqual([
      "Order",
      "raw",
      "search_docs",
      "weather",
    ]);
    const found = report?.findings.filter(({ rule }) => rule === "default-invalid");
    expect(found).toMatchObject([{ tool: "raw", path: "/inputSchema/properties/n/default" }]);
  });

  test("one that fails, and one without tools", async () => {
    expect(await lint(["a.mjs"], { "a.mjs": "throw new TypeError('secret')" })).toMatchObject({
      code: 2,
      errors: "toolcontract lint: a.mjs cannot be loaded (TypeError).",
    });
    expect(await lint(["a.mjs"], { "a.mjs": "export const a = 1" })).toMatchObject({ code: 2 });
  });
});

const SPY = `import { appendFileSync } from "node:fs";
appendFileSync("env.json", JSON.stringify(process.env));`;

test.each<[what: string, args: readonly string[], isWhole: boolean]>([
  ["a server of a file", [".mcp.json"], false],
  ["a command", ["--", NODE, "spy.mjs"], true],
])("%s gets of the environment what --help says", async (_, args, isWhole) => {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-lint-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, "spy.mjs"), SPY);
  const servers = { a: { command: NODE, args: ["spy.mjs"], env: { OWN: "${DEPLOY_TOKEN}" } } };
  writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  const ignore = (): void => undefined;
  const env = { ...process.env, DEPLOY_TOKEN: "t" };
  await runLint(args, { cwd, env, print: ignore, warn: ignore });
  const got = JSON.parse(readFileSync(join(cwd, "env.json"), "utf8")) as typeof process.env;
  expect(got["PATH"]).toBe(process.env["PATH"]);
  expect(got["DEPLOY_TOKEN"]).toBe(isWhole ? "t" : undefined);
  expect(got["OWN"]).toBe(isWhole ? undefined : "t");
});
