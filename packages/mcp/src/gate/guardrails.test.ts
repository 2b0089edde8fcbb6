import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createContract } from "@toolcontract/core";
import { type AttemptEvent, createGuardrails, slotStore } from "@toolcontract/guardrails";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { withContract } from "../in-process/index.ts";
import { gatedServer, serverOf, textOf, toolCall } from "../testing/gated-server.ts";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { addServer } from "../testing/messages.ts";
import { proxyCommand, script } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";
import { runProxy } from "../testing/run-proxy.ts";
import { HTTP_SERVERS, WAYS } from "../testing/sdk-servers.ts";
import type { TestTool } from "../testing/test-servers.ts";
import type { Message } from "../wire/index.ts";
import { createGate } from "./gate.ts";

const write: Message = {
  name: "write",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** A quota of two writes, each to a path that was read, and a name that no file may have. */
function policies(extra: object = {}, clock: () => number = Date.now) {
  const store = slotStore({ writes: 0, seen: ["a", "b", "secret"] as string[] });
  const guardrails = createGuardrails({
    store,
    effects: { write: "compensable", read: "state" },
    stateChanges: {
      write: ({ state }) => void state.writes++,
      read: ({ state, args }) => void state.seen.push(args.path),
    },
    guardrails: [
      {
        name: "no_parents",
        tools: ["write"],
        check: ({ args }) => args.path.includes("..") && "leave the parents alone",
      },
      {
        name: "seen_before",
        tools: ["write"],
        check: ({ args, state }) => !state.seen.includes(args.path) && "read the file first",
      },
      {
        name: "quota",
        tools: ["write"],
        class: "terminal_guardrail",
        reason: "unsupported_capability",
        check: ({ state }) => state.writes >= 2 && "no writes are left",
      },
      {
        name: "no_secret",
        tools: ["write"],
        stage: "commit",
        check: ({ result }) => JSON.stringify(result).includes("secret") && "that was a secret",
      },
    ],
    ...extra,
  });
  const contract = createContract({ logger: () => undefined, guardrails, clock });
  const events: AttemptEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  return { store, guardrails, contract, events };
}

const sent = (received: readonly Message[]): readonly unknown[] =>
  received
    .filter(({ method }) => method === "tools/call")
    .map(
      ({ params }) => (params as { readonly arguments: { readonly path: string } }).arguments.path,
    );

const headerOf = (answer: Message | undefined): string => textOf(answer).split("\n")[0] ?? "";

describe("guardrails in the gate", () => {
  test("a violation before the run does not reach the server; what it did is state of the proxy", async () => {
    let now = 0;
    const { store, contract, events } = policies({}, () => now);
    const server = gatedServer(serverOf([write, { ...write, name: "read" }]), { contract });
    const call = async (name: string, path: string) => {
      now += 1_000;
      return server.call(name, { path });
    };
    expect(headerOf(await call("write", "../x"))).toBe(
      "Guardrail failed for tool 'write' (attempt 1/3):",
    );
    expect(textOf(await call("write", "c"))).toContain("(GRD-001): read the file first");
    expect(sent(server.received)).toEqual([]);
    await call("read", "c");
    expect(textOf(await call("write", "c"))).toBe("done");
    expect(textOf(await call("write", "a"))).toBe("done");
    expect(store.state).toEqual({ writes: 2, seen: ["a", "b", "secret", "c"] });
    const closed = textOf(await call("write", "b"));
    expect(closed).toContain("(GRD-003): no writes are left");
    expect(closed).toContain("Do not call 'write' again for this request");
    expect(textOf(await call("write", "a"))).toContain("(blocked after 1/3)");
    expect(sent(server.received)).toEqual(["c", "c", "a"]);
    expect(events.at(-1)?.outcome).toMatchObject({ error_type: "unsupported_capability" });
  });

  test("a result of an error is repaired in the outcome lane, and its state is dropped", async () => {
    const { store, contract } = policies();
    const answer = { isError: true, content: [{ type: "text", text: "no such folder" }] };
    const scripted = serverOf([write], ({ id }) => ({ jsonrpc: "2.0", id, result: answer }));
    const server = gatedServer(scripted, { contract });
    const text = textOf(await server.call("write", { path: "a" }));
    expect(text).toContain("Outcome failed for tool 'write' (attempt 1/2):");
    expect(text).toContain("(GRD-005): no such folder");
    expect(store.state.writes).toBe(0);
  });

  test("a tool of which nothing is known keeps the server's own error, and its result is passed on", async () => {
    const guardrails = createGuardrails({ guardrails: [] });
    const error = { code: -32_000, message: "out of order" };
    const scripted = serverOf([write], ({ id, params }) =>
      (params as { readonly arguments: { readonly path: string } }).arguments.path === "a"
        ? { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "ran" }], more: 1 } }
        : { jsonrpc: "2.0", id, error },
    );
    const bare = gatedServer(scripted, {});
    const guarded = gatedServer(scripted, { guardrails });
    const call = async (server: typeof bare) => server.call("write", { path: "a" });
    expect(JSON.stringify(await call(guarded))).toBe(JSON.stringify(await call(bare)));
    // It may have run before it failed.
    expect(textOf(await guarded.call("write", { path: "b" }))).toContain(
      "(GRD-006): The tool failed",
    );
  });

  test("a name that no tool of the server has is logged once, and nothing else fails", async () => {
    const log = vi.fn();
    const guardrails = createGuardrails({ guardrails: [], effects: { wriet: "state" } });
    const server = gatedServer(serverOf([write]), { guardrails, logger: log });
    for (const listKey of ["a", "b"]) {
      const on = server.link({ listKey });
      expect(textOf(await server.call("write", { path: "a" }, on))).toBe("done");
    }
    const words = "createGuardrails: the host has no tool 'wriet'. Did you mean 'write'?";
    expect(log.mock.calls.map(([, message]) => message)).toEqual([words, expect.anything()]);
  });

  describe("a commit guardrail whose tools have no effect", () => {
    const buy: Message = { name: "buy", inputSchema: { type: "object" } };
    const UNDECLARED =
      "createGuardrails: guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect, so it could not be undone. Declare effects: { buy: \"compensable\" }, name its `tools`, or check before it runs.";
    const NOT_MADE = "The call could not be checked and was not made.";

    /** The budget of the README, for a server whose tool spends 80 of its 100. */
    function budget(effects: Readonly<Record<string, "state" | "none">>) {
      const store = slotStore({ spent: 0 });
      const guardrails = createGuardrails({
        store,
        effects,
        stateChanges: effects["buy"] ? { buy: ({ state }) => void (state.spent += 80) } : {},
        guardrails: [
          {
            name: "budget",
            stage: "commit",
            check: ({ state }) => state.spent > 100 && { message: "over the budget of 100" },
          },
        ],
      });
      const lines: unknown[] = [];
      const logger = (fields: object, message: string): void => {
        if ("level" in fields && fields.level === "warn") lines.push(message);
      };
      return { store, options: { guardrails, logger }, lines };
    }

    test("with the effect, five calls of 80 spend 80", async () => {
      const { store, options } = budget({ buy: "state" });
      const server = gatedServer(serverOf([buy]), options);
      for (let call = 0; call < 5; call += 1) await server.call("buy", {});
      expect(store.state.spent).toBe(80);
    });

    test("without it, none of them reaches the server, the operator is told once, and others run", async () => {
      const { options, lines } = budget({ write: "none" });
      const server = gatedServer(serverOf([write, buy]), options);
      for (let call = 0; call < 5; call += 1) {
        expect(textOf(await server.call("buy", {}))).toBe(NOT_MADE);
      }
      expect(textOf(await server.call("write", { path: "a" }))).toBe("done");
      expect(sent(server.received)).toEqual(["a"]);
      expect(lines).toEqual([UNDECLARED, "Tool contract degraded"]);
    });

    test("a tool that appears later is refused, and said", async () => {
      const { options, lines } = budget({ write: "none" });
      const tools = [write];
      const server = gatedServer(serverOf(tools), options);
      expect(textOf(await server.call("write", { path: "a" }))).toBe("done");
      expect(lines).toEqual([]);
      tools.push(buy);
      const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
      await server.gate.fromServer(changed, server.link());
      expect(textOf(await server.call("buy", {}))).toBe(NOT_MADE);
      expect(lines[0]).toBe(UNDECLARED);
      expect(textOf(await server.call("write", { path: "b" }))).toBe("done");
      expect(sent(server.received)).toEqual(["a", "b"]);
    });

    test("a name that the server does not list is answered, and not sent to the server", async () => {
      const { options, lines } = budget({ write: "none" });
      const server = gatedServer(serverOf([write]), options);
      const text = textOf(await server.call("wriet", { path: "a" }));
      expect(text).toContain("(VAL-012)");
      expect(text).toContain('Hint: use "write"');
      expect(sent(server.received)).toEqual([]);
      expect(lines).toEqual(["Tool validation failed"]);
    });

    test("without a list of tools, nothing is sent to the server", async () => {
      const { options } = budget({ write: "none" });
      const server = gatedServer(
        ({ id }) => ({ jsonrpc: "2.0", id, error: { code: -1 } }),
        options,
      );
      expect(textOf(await server.call("buy", {}))).toBe(NOT_MADE);
      expect(sent(server.received)).toEqual([]);
    });

    test("a name that is missing does not hide it, and a list that changes all the time fills no log", async () => {
      const { options, lines } = budget({ gone: "none" });
      const server = gatedServer(serverOf([buy]), options);
      await server.call("buy", {});
      const missing = "createGuardrails: the host has no tool 'gone'. Its tools are buy.";
      expect(lines.slice(0, 2)).toEqual([expect.stringContaining(missing), UNDECLARED]);
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      for (let index = 0; index < 300; index += 1) {
        const result = { tools: [{ name: `tool_${index}`, inputSchema: {} }] };
        await server.gate.fromClient({ ...list, id: index }, server.link());
        await server.gate.fromServer({ jsonrpc: "2.0", id: index, result }, server.link());
      }
      expect(lines.length).toBeLessThan(110);
    });
  });

  test("a call that the client cancels is rolled back and not counted", async () => {
    const { store, contract, events } = policies();
    const server = gatedServer(serverOf([write]), { contract });
    await server.call("write", { path: "a" });
    const on = server.link();
    await server.gate.fromClient(toolCall(9, "write", { path: "b" }), on);
    const params = { requestId: 9 };
    await server.gate.fromClient({ jsonrpc: "2.0", method: "notifications/cancelled", params }, on);
    await expect.poll(() => events.at(-1)?.attempt_stage).toBe("rolled_back");
    expect(events.at(-1)).toMatchObject({ attempt_failures: [], retry_feedback_injected: false });
    expect(store.state.writes).toBe(1);
    expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
    // Its locks are free again.
    expect(textOf(await server.call("write", { path: "b" }))).toBe("done");
  });
});

afterEach(closePairs);

/** Files on a server of which the proxy knows nothing. */
function fileServer() {
  const files = new Set<string>();
  const of =
    (run: (path: string) => unknown): TestTool["run"] =>
    (args) => {
      const { path } = args as { readonly path: string };
      run(path);
      return { text: `wrote ${path}` };
    };
  const { inputSchema } = write as Pick<TestTool, "inputSchema">;
  const tools: readonly TestTool[] = [
    { name: "write", inputSchema, run: of((path) => files.add(path)) },
    { name: "read", inputSchema, run: of(() => undefined) },
    { name: "remove", inputSchema, run: of((path) => files.delete(path)) },
  ];
  return { files, tools };
}

const removing = {
  compensate: {
    write: ({ args }: { readonly args: { readonly path: string } }) => ({
      name: "remove",
      arguments: { path: args.path },
    }),
  },
};

describe.each([
  ...(["v1 Server with sessions", "v2 createMcpHandler, 2026-07-28"] as const).map(
    (name) =>
      [
        `HTTP proxy in front of ${name}`,
        async (tools: readonly TestTool[], gate: ReturnType<typeof createGate>) =>
          HTTP_SERVERS[name](tools, async (url) => {
            const { port } = await startOn(url, { gate });
            return new URL(`http://127.0.0.1:${port}/mcp`);
          }),
      ] as const,
  ),
  ...["v1 Server in memory", "v2 McpServer in memory"].map(
    (name) =>
      [
        `withContract on ${name}`,
        async (tools: readonly TestTool[], gate: ReturnType<typeof createGate>) =>
          WAYS[name]!(tools, (server) => withContract(server, { gate })),
      ] as const,
  ),
])("%s", (_, connect) => {
  test("a violation at commit is undone by the inverse call, and the corrected call stays", async () => {
    const { files, tools } = fileServer();
    const { store, contract, events } = policies(removing);
    const client = await connect(tools, createGate({ contract }));
    const refused = await client.call("write", { path: "secret" });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]?.text).toContain("(GRD-002): that was a secret");
    expect(refused.content[0]?.text).toContain("All its state changes were undone.");
    expect([...files]).toEqual([]);
    expect(events.at(-1)).toMatchObject({ attempt_stage: "rolled_back", rollback_applied: true });
    expect((await client.call("write", { path: "a" })).content[0]?.text).toBe("wrote a");
    expect([...files]).toEqual(["a"]);
    expect(store.state.writes).toBe(1);
    await client.close();
  });

  test("an inverse call that fails is admitted to the model", async () => {
    const { files, tools } = fileServer();
    const { contract, events } = policies({
      compensate: { write: () => ({ name: "erase", arguments: {} }) },
    });
    const client = await connect(tools, createGate({ contract }));
    const refused = await client.call("write", { path: "secret" });
    expect(refused.content[0]?.text).toContain("Some effects could not be undone: write");
    expect(events.at(-1)).toMatchObject({
      rollback_applied: false,
      compensation_failures: ["write"],
    });
    expect([...files]).toEqual(["secret"]);
    await client.close();
  });

  test("a tool that a commit guardrail cannot guard is not called, and the others are", async () => {
    const { files, tools } = fileServer();
    const log: string[] = [];
    const guardrails = createGuardrails({
      effects: { read: "none" },
      guardrails: [{ name: "no_secret", stage: "commit", check: () => "that was a secret" }],
    });
    const gate = createGate({ guardrails, logger: (...entry) => void log.push(entry[1]) });
    const client = await connect(tools, gate);
    await expect(client.call("write", { path: "secret" })).rejects.toThrow("was not made");
    expect([...files]).toEqual([]);
    expect(log[0]).toContain("runs at commit for every tool, and 'write' and 'remove' have no");
    const judged = await client.call("read", { path: "a" });
    expect(judged.content[0]?.text).toContain("(GRD-002): that was a secret");
    await client.close();
  });
});

const folder = mkdtempSync(join(tmpdir(), "toolcontract-guardrails-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A module for `--guardrails`, in a folder that has the package installed. */
function moduleOf(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

const PACKAGE = dirname(
  fileURLToPath(import.meta.resolve("@toolcontract/guardrails/package.json")),
);
writeFileSync(join(folder, "package.json"), '{"type":"module"}');
symlinkSync(PACKAGE, join(folder, "guardrails"));

const MEMORY = `
import { createGuardrails, slotStore } from "./guardrails/src/index.ts";
const store = slotStore({ entities: 0 });
export const guardrails = createGuardrails({
  store,
  effects: { create_entities: "compensable" },
  stateChanges: { create_entities: ({ state, args }) => { state.entities += args.entities.length; } },
  compensate: {
    create_entities: ({ args }) => ({
      name: "delete_entities",
      arguments: { entityNames: args.entities.map(({ name }) => name) },
    }),
  },
  guardrails: [
    {
      name: "at_most_two",
      tools: ["create_entities"],
      stage: "commit",
      check: ({ state }) => state.entities > 2 && { message: "the graph is full", fieldPath: "/entities", hint: "keep two" },
    },
  ],
});
`;

const entity = (name: string) => ({ name, entityType: "person", observations: [] });

test("the command in front of the official memory server: a violation at commit is undone by its own tool", async () => {
  const root = dirname(
    createRequire(import.meta.url).resolve("@modelcontextprotocol/server-memory/package.json"),
  );
  const server = [process.execPath, join(root, "dist", "index.js")];
  const { command, args } = proxyCommand([
    "--guardrails",
    moduleOf("memory.js", MEMORY),
    "--no-config",
    "--",
    ...server,
  ]);
  const client = new Client({ name: "test", version: "1.0.0" });
  const env = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "pipe" }));
  const names = async (): Promise<unknown> => {
    const { structuredContent } = await client.callTool({ name: "read_graph", arguments: {} });
    return (structuredContent as { entities: { name: string }[] }).entities.map(({ name }) => name);
  };
  const create = async (...given: readonly string[]): Promise<string> => {
    const entities = given.map(entity);
    const { content } = await client.callTool({ name: "create_entities", arguments: { entities } });
    return (content as { text: string }[]).map(({ text }) => text).join();
  };
  await create("Ada");
  expect(await create("Bob", "Eve"))
    .toBe(`Guardrail failed for tool 'create_entities' (attempt 1/3):

Errors:
• /entities (GRD-002): the graph is full
  Hint: keep two

All its state changes were undone.
Correct these and call 'create_entities' again with all arguments.`);
  expect(await names()).toEqual(["Ada"]);
  await create("Bob");
  expect(await names()).toEqual(["Ada", "Bob"]);
  await client.close();
});

test("the command outlives a tool that it cannot guard, refuses its calls and says so", async () => {
  const budget = moduleOf(
    "budget.js",
    `import { createGuardrails } from "./guardrails/src/index.ts";
export const guardrails = createGuardrails({
  effects: { read: "none" },
  guardrails: [{ name: "budget", stage: "commit", check: () => false }],
});`,
  );
  const proxy = runProxy(["--guardrails", budget, ...script(addServer())]);
  for (const id of [1, 2]) {
    proxy.send(toolCall(id, "add", { a: 1, b: 2 }));
    expect((await proxy.answer(id)).error?.message).toContain("was not made");
  }
  proxy.send({ jsonrpc: "2.0", id: 3, method: "tools/list" });
  expect((await proxy.answer(3)).result?.tools).toHaveLength(1);
  expect(proxy.errors()).toContain("and 'add' has no declared effect");
  proxy.endInput();
  expect(await proxy.exited).toBe(0);
});

test.each([
  [
    "a file that is missing",
    ["--guardrails", "missing.js"],
    "cannot be loaded (ERR_MODULE_NOT_FOUND)",
  ],
  [
    "a module without guardrails",
    ["--guardrails", moduleOf("empty.js", "export const other = 1;")],
    "must export what createGuardrails returned",
  ],
  [
    "a mistake in an option",
    [
      "--guardrails",
      moduleOf(
        "wrong.js",
        'import { createGuardrails } from "./guardrails/src/index.ts";\nexport const guardrails = createGuardrails({ guardrials: [] });',
      ),
    ],
    "unknown option 'guardrials'. Did you mean 'guardrails'?",
  ],
  [
    "a commit guardrail without effects",
    [
      "--guardrails",
      moduleOf(
        "bare.js",
        'import { createGuardrails } from "./guardrails/src/index.ts";\nexport const guardrails = createGuardrails({ guardrails: [{ name: "budget", stage: "commit", check: () => false }] });',
      ),
    ],
    "guardrail 'budget' runs at commit for every tool, and no effect is declared",
  ],
  [
    "a mode that refuses nothing",
    ["--guardrails", moduleOf("memory.js", MEMORY), "--mode", "audit"],
    "--guardrails needs --mode enforce",
  ],
])("the command refuses to start with %s", async (_, flags, words) => {
  const { code, errors } = await runMain([...flags, "--", process.execPath, "-e", ""]);
  expect([code, errors]).toEqual([4, expect.stringContaining(words)]);
  expect(errors.trim().split("\n")).toHaveLength(1);
});
