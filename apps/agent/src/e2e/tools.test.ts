import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { serveGreeter } from "../testing/http-server.ts";
import { expectAccounting, resultOf, toolTexts } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";
const require = createRequire(import.meta.url);

/** Servers from npm, by their manifests. */
const NPM = {
  everything: require.resolve("@modelcontextprotocol/server-everything/package.json"),
  filesystem: require.resolve("@modelcontextprotocol/server-filesystem/package.json"),
  memory: require.resolve("@modelcontextprotocol/server-memory/package.json"),
};

function npm(name: keyof typeof NPM, ...args: readonly string[]): object {
  const program = join(dirname(NPM[name]), "dist/index.js");
  return { command: process.execPath, args: [program, ...args] };
}

test.concurrent("servers from npm and one over HTTP: wrong arguments are explained, and corrected calls run", async (context) => {
  const world = await createWorld(context);
  const web = await serveGreeter();
  world.onEnd(web.close);
  const model = await world.serve([
    calls(
      ["list_directory", { pth: "." }],
      ["get-sum", { a: "one", b: 2 }],
      ["create_entities", { entities: [{ name: "x" }] }],
      ["greet", {}],
    ),
    calls(
      ["list_directory", { path: "." }],
      ["get-sum", { a: 1, b: 2 }],
      ["create_entities", { entities: [] }],
      ["greet", { name: "Ana" }],
    ),
    report("Done"),
  ]);
  world.write("project/notes/monday.md", "# Monday\n");
  world.write(
    FILE,
    oneTarget(model, {
      tools: { validation: { retry: { max_attempts: 5 } } },
      mcp_servers: {
        files: { ...npm("filesystem", "."), cwd: "notes" },
        sums: npm("everything"),
        memory: {
          ...npm("memory"),
          env: { MEMORY_FILE_PATH: `${world.folder}/memory.jsonl` },
        },
        web: { url: web.url },
      },
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  const result = resultOf(ended);
  const texts = toolTexts(result);
  expect(texts[0]).toMatch(/^Validation failed for tool 'list_directory' \(attempt 1\/5\):\n/u);
  const bullets = texts.slice(0, 4).map((text) => text.split("\n").filter(isBullet));
  expect(bullets).toEqual([
    ["• /path (VAL-001): Required field 'path' is missing"],
    ["• /a (VAL-002): Type mismatch: expected number, got string"],
    [
      "• /entities/0/entityType (VAL-001): Required field 'entityType' is missing",
      "• /entities/0/observations (VAL-001): Required field 'observations' is missing",
    ],
    ["• /name (VAL-001): Required field 'name' is missing"],
  ]);
  expect(texts.slice(4)).toEqual([
    "[FILE] monday.md",
    "The sum of 1 and 2 is 3.",
    "[]",
    "Hello, Ana!",
    "ok",
  ]);
  expectAccounting(
    result,
    "pa ok",
    "pa ok",
    "list_directory ok",
    "get-sum ok",
    "create_entities ok",
    "greet ok",
    "pa ok",
    "agent__final_report ok",
  );
  const servers = result.accounting.flatMap((entry) =>
    entry.type === "tool" ? [entry.mcpServer] : [],
  );
  expect(servers.toSorted()).toEqual(["files", "local", "memory", "sums", "web"]);
});

const isBullet = (line: string): boolean => line.startsWith("•");

test.concurrent("a server has its own time limit, size limit and queue, and names that collide are prefixed", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const model = await world.serve([
    calls(
      ["hang", {}],
      ["repeat", { text: "ab", times: 500 }],
      ["one__step", { text: "1" }],
      ["one__step", { text: "2" }],
      ["one__step", { text: "3" }],
      ["other__step", { text: "4" }],
    ),
    report("Done"),
  ]);
  world.write(
    FILE,
    oneTarget(model, {
      queues: { single: { concurrent: 1 } },
      mcp_servers: {
        slow: { ...servers.config({ name: "slow", tools: ["hang"] }), tool_timeout: 100 },
        big: {
          ...servers.config({ name: "big", tools: ["repeat"] }),
          tool_response_max_bytes: 200,
        },
        one: { ...servers.config({ name: "one", tools: ["step"] }), queue: "single" },
        other: servers.config({ name: "other", tools: ["step"] }),
      },
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  const result = resultOf(ended);
  const [hang, repeat, ...steps] = toolTexts(result);
  expect(hang).toBe("(tool failed: timeout)");
  expect(repeat).toMatch(
    /^\[TRUNCATED\] Original size 1000 bytes; truncated to 200 bytes\.\n(?:ab)+$/u,
  );
  expect(steps).toEqual(["one: 1", "one: 2", "one: 3", "other: 4", "ok"]);
  expect(servers.eventsOf("one").filter((event) => /^(?:begin|end) \d/u.test(event))).toEqual([
    "begin 1",
    "end 1",
    "begin 2",
    "end 2",
    "begin 3",
    "end 3",
  ]);
  expect(ended.stderr.split("\n").toSorted()).toEqual([
    "",
    "toolcontract-agent: hang was given up after 100 ms (tool_timeout)",
    "toolcontract-agent: the result of repeat was cut from 1000 to 200 bytes (tool_response_max_bytes)",
  ]);
  expectAccounting(
    result,
    "pa ok",
    "hang failed: timeout",
    "repeat ok",
    "one__step ok",
    "one__step ok",
    "one__step ok",
    "other__step ok",
    "pa ok",
    "agent__final_report ok",
  );
  await servers.allEnded();
});

test.concurrent("servers that die in the middle, a process and one over HTTP: their calls fail, and the run goes on and reports", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const web = await serveGreeter();
  world.onEnd(web.close);
  const model = await world.serve((_, index) => {
    if (index === 0)
      return calls(["hang", {}], ["echo", { text: "1" }], ["greet", { name: "Ana" }]);
    if (index === 2) return report("Half of it");
    // The process is gone, and now the other one, too.
    void web.close();
    return calls(
      ["repeat", { text: "b", times: 1 }],
      ["echo", { text: "2" }],
      ["greet", { name: "Ben" }],
    );
  });
  world.write(
    FILE,
    oneTarget(model, {
      mcp_servers: {
        a: servers.config({ name: "a", tools: ["hang", "repeat"] }),
        b: servers.config({ name: "b", tools: ["echo"] }),
        web: { url: web.url },
      },
    }),
  );
  const running = world.run(["--output", "json", "Do it"]);
  process.kill(await servers.until("a", "hang"), "SIGKILL");
  const ended = await running;
  const result = resultOf(ended);
  expect(ended.exitCode).toBe(0);
  const dead = 'the MCP server "a" was ended by SIGKILL';
  expect(toolTexts(result)).toEqual([
    `(tool failed: ${dead})`,
    "b: 1",
    "Hello, Ana!",
    // It was started again, and what was asked of it before is not asked again.
    "b",
    "b: 2",
    // Refused, or reset if a connection was still open.
    expect.stringMatching(/^\(tool failed: the MCP server "web" cannot be reached: .+\)$/u),
    "ok",
  ]);
  expect(ended.stderr).toContain('MCP server "a" was ended by SIGKILL; it was started again');
  expect(result.finalReport?.metadata).toMatchObject({ servers_restarted: ["a"] });
  const failed = result.accounting.flatMap(({ error = "" }) =>
    error.includes("web") ? error : [],
  );
  expectAccounting(
    result,
    "pa ok",
    `hang failed: ${dead}: Connection closed`,
    "echo ok",
    "greet ok",
    "pa ok",
    "repeat ok",
    "echo ok",
    `greet failed: ${failed.join()}`,
    "pa ok",
    "agent__final_report ok",
  );
  await servers.allEnded();
});
