import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";
import { loadAgentConfig } from "./load-agent-config.ts";

const turns = (max_turns: number): string => JSON.stringify({ session: { max_turns } });

/** Every layer with its file in `.agent`, highest first. */
const LAYERS = [
  { layer: "prompt", file: "prompts/ask.md", text: `---\n${turns(1)}\n---\nAsk.` },
  { layer: "explicit", file: "own.yml", text: turns(2) },
  { layer: "cwd", file: CWD_FILE, text: turns(3) },
  { layer: "prompt-folder", file: "prompts/.agent/config.yml", text: turns(4) },
  { layer: "program", file: "program/.agent/config.yml", text: turns(5) },
  { layer: "home", file: "home/.agent/config.yml", text: turns(6) },
  { layer: "system", file: "etc/agent/config.yml", text: turns(7) },
] as const;

const PAIRS = LAYERS.flatMap((higher, index) =>
  LAYERS.slice(index + 1).map((lower) => ({ higher, lower })),
);

/** A project with these files, and all the places that its layers need. */
function loadLayers(files: readonly { readonly file: string; readonly text: string }[]) {
  const { folder, load } = createAgentProject(
    Object.fromEntries([
      ["prompts/ask.md", "Ask."],
      ...files.map(({ file, text }) => [file, text] as const),
    ]),
  );
  const isExplicit = files.some(({ file }) => file === "own.yml");
  return load({
    promptFile: join(folder, "prompts/ask.md"),
    program: join(folder, "program"),
    ...(isExplicit && { path: "../own.yml" }),
  });
}

describe("the higher layer wins", () => {
  test.each(PAIRS)("$higher.layer over $lower.layer", ({ higher, lower }) => {
    const { session, files, origins } = loadLayers([lower, higher]);
    expect(files.map(({ layer }) => layer)).toEqual([higher.layer, lower.layer]);
    expect(session.maxTurns).toBe(LAYERS.indexOf(higher) + 1);
    expect(origins["/session/max_turns"]?.layer).toBe(higher.layer);
  });

  test.each(LAYERS)("$layer alone is read", ({ layer, file, text }) => {
    const { session, files } = loadLayers([{ file, text }]);
    expect(files).toEqual([{ layer, path: expect.stringContaining(file) as string }]);
    expect(session.maxTurns).toBe(LAYERS.findIndex((one) => one.layer === layer) + 1);
  });

  test("all layers at once, in the order of the spec", () => {
    expect(loadLayers(LAYERS).files.map(({ layer }) => layer)).toEqual(
      LAYERS.map(({ layer }) => layer),
    );
  });
});

describe("in each place, .agent/config.yml or else the file of the spec", () => {
  const SPEC_FILES = [
    ["cwd", CWD_FILE, "project/.ai-agent.json"],
    ["prompt-folder", "prompts/.agent/config.yml", "prompts/.ai-agent.json"],
    ["program", "program/.agent/config.yml", "program/.ai-agent.json"],
    ["home", "home/.agent/config.yml", "home/.ai-agent/ai-agent.json"],
    ["system", "etc/agent/config.yml", "etc/ai-agent/ai-agent.json"],
  ] as const;

  test.each(SPEC_FILES)("%s", (layer, file, specFile) => {
    const spec = { file: specFile, text: JSON.stringify({ session: { maxTurns: 9 } }) };
    expect(loadLayers([spec])).toMatchObject({ session: { maxTurns: 9 }, files: [{ layer }] });
    const both = loadLayers([spec, { file, text: "session: { max_retries: 2 }" }]);
    expect(both.session).toEqual({ maxRetries: 2 });
    expect(both.files).toHaveLength(1);
  });

  test("folders above the working directory are not searched", () => {
    const { load, folder } = createAgentProject({ [CWD_FILE]: turns(3) });
    mkdirSync(join(folder, "project/deep"));
    expect(load({ cwd: join(folder, "project/deep") }).files).toEqual([]);
  });
});

describe("which places there are", () => {
  test("a prompt in the working directory adds no second layer", () => {
    const { load, write } = createAgentProject({ [CWD_FILE]: turns(3) });
    const promptFile = write("project/ask.md", "Ask.");
    expect(load({ promptFile }).files.map(({ layer }) => layer)).toEqual(["cwd"]);
  });

  test("a file that is found twice counts once, in the highest place", () => {
    const { load, folder } = createAgentProject({ "home/.agent/config.yml": turns(6) });
    symlinkSync(join(folder, "home/.agent/config.yml"), join(folder, "project/link.yml"));
    const home = join(folder, "home");
    expect(load({ cwd: home }).files.map(({ layer }) => layer)).toEqual(["cwd"]);
    expect(load({ path: "link.yml" }).files.map(({ layer }) => layer)).toEqual(["explicit"]);
  });

  test("home, system and program can be left out", () => {
    const { load, folder } = createAgentProject({
      "home/.agent/config.yml": turns(6),
      "etc/agent/config.yml": turns(7),
      "program/.agent/config.yml": turns(5),
    });
    const program = join(folder, "program");
    expect(load({ program, home: false, system: false }).session.maxTurns).toBe(5);
    expect(load({ program: false, home: false }).session.maxTurns).toBe(7);
    expect(load({ home: false, system: false }).files).toEqual([]);
  });

  test("an explicit file that is not there is a fault", () => {
    expect(createAgentProject().error({ path: "nope.json" }).message).toContain(
      "• nope.json:1:1 (unreadable-file): The file can't be read: there is no such file",
    );
  });

  test.each([
    [{ cdw: "/" }, "loadAgentConfig: there is no option 'cdw'. Use cwd."],
    [{ promptFile: 3 }, "loadAgentConfig: option 'promptFile' must be a non-empty string."],
    [{ program: true }, "loadAgentConfig: option 'program' must be a folder, or false for none."],
    ["x.yml", "loadAgentConfig: the options must be an object, such as { cwd }."],
  ])("%j is refused", (options, message) => {
    expect(() => loadAgentConfig(options as never)).toThrow(new ToolContractError(message));
  });
});

describe("merging", () => {
  test("objects merge member by member, at every depth, and arrays are replaced", () => {
    const { providers, mcpServers, queues, session, targets, options } = loadLayers([
      {
        file: CWD_FILE,
        text: `
session: { max_turns: 1, stop_sequences: [a] }
providers: { main: { api_key: high, headers: { b: B, both: high } } }
targets: [{ provider: main, model: one }]
mcp_servers: { files: { args: [x], env: { B: b, BOTH: high }, queue: slow } }
queues: { slow: { concurrent: 1 } }
tools: { validation: { retry: { max_attempts: 2 } } }
`,
      },
      {
        file: "home/.ai-agent/ai-agent.json",
        text: JSON.stringify({
          session: { maxTurns: 9, maxRetries: 9, stopSequences: ["b", "c"] },
          providers: {
            main: { type: "openai", apiKey: "low", headers: { a: "A", both: "low" } },
            other: { type: "anthropic" },
          },
          targets: [
            { provider: "main", model: "two" },
            { provider: "other", model: "three" },
          ],
          mcpServers: {
            files: { command: "npx", args: ["y", "z"], env: { A: "a", BOTH: "low" } },
            web: { url: "https://example.com" },
          },
          queues: { slow: { concurrent: 9 }, fast: { concurrent: 8 } },
          tools: { validation: { retry: { maxAttempts: 9, scope: "thread" } } },
        }),
      },
    ]);
    expect(session).toEqual({ maxTurns: 1, maxRetries: 9 });
    expect(providers).toEqual({
      main: {
        type: "openai",
        apiKey: "high",
        headers: { a: "A", b: "B", both: "high" },
        settings: {},
      },
      other: { type: "anthropic", settings: {} },
    });
    expect(targets).toEqual([
      { provider: "main", model: "one", settings: { stopSequences: ["a"] } },
    ]);
    expect(mcpServers).toEqual({
      files: {
        command: "npx",
        args: ["x"],
        env: { A: "a", B: "b", BOTH: "high" },
        queue: "slow",
      },
      web: { url: "https://example.com" },
    });
    expect(queues).toEqual({ slow: { concurrent: 1 }, fast: { concurrent: 8 } });
    expect(options).toEqual({ maxAttempts: 2, scope: "thread" });
  });

  test("a JSON Schema of the report is one value", () => {
    const of = (output_schema: unknown): string =>
      JSON.stringify({ session: { expected_output_format: "json", output_schema } });
    const { session } = loadLayers([
      { file: CWD_FILE, text: of({ type: "object", required: ["a"] }) },
      { file: "home/.agent/config.yml", text: of({ properties: { b: {} } }) },
    ]);
    expect(session.outputSchema).toEqual({ type: "object", required: ["a"] });
  });

  test.each([
    ["session:\n  # max_turns: 3\n", { session: { maxTurns: 6 } }],
    ["providers:\n  main:\n", { providers: { main: { type: "openai" } } }],
    ["targets:\n", { targets: [{ provider: "main", model: "m" }] }],
    [
      "mcp_servers:\n  files: { args: }\n",
      { mcpServers: { files: { command: "x", args: ["y"] } } },
    ],
  ])("a key whose members are commented out changes nothing: %j", (text, expected) => {
    const lower = `
session: { max_turns: 6 }
providers: { main: { type: openai } }
targets: [{ provider: main, model: m }]
mcp_servers: { files: { command: x, args: [y] } }
`;
    const files = [
      { file: CWD_FILE, text },
      { file: "home/.agent/config.yml", text: lower },
    ];
    expect(loadLayers(files)).toMatchObject(expected);
    expect(loadLayers(files.slice(1))).toMatchObject(expected);
  });

  test("a member named __proto__ is data", () => {
    const { queues } = loadLayers([
      { file: CWD_FILE, text: "queues: { __proto__: { concurrent: 1 } }" },
      { file: "home/.agent/config.yml", text: "queues: { constructor: { concurrent: 2 } }" },
    ]);
    expect(Object.entries(queues)).toEqual([
      ["constructor", { concurrent: 2 }],
      ["__proto__", { concurrent: 1 }],
    ]);
    expect(({} as { concurrent?: number }).concurrent).toBeUndefined();
  });

  test("settings of a target go before those of its provider, and these before the session's", () => {
    const { settings, providers, targets } = loadLayers([
      {
        file: CWD_FILE,
        text: `
session: { temperature: 0.1, top_p: 0.1, top_k: 1 }
providers: { main: { type: openai, temperature: 0.2, top_p: 0.2 } }
targets: [{ provider: main, model: m, temperature: 0.3 }]
`,
      },
    ]);
    expect(settings).toEqual({ temperature: 0.1, topP: 0.1, topK: 1 });
    expect(providers["main"]?.settings).toEqual({ temperature: 0.2, topP: 0.2 });
    expect(targets[0]?.settings).toEqual({ temperature: 0.3, topP: 0.2, topK: 1 });
  });
});

describe("paths are relative to the file that sets them", () => {
  const text = `
providers: { s: { type: scripted, script: answers.json } }
mcp_servers: { files: { command: ./server, cwd: notes } }
tools: { validation: { workspace_root: src } }
`;
  test.each([
    [CWD_FILE, "project/.agent/answers.json", "project"],
    ["home/.agent/config.yml", "home/.agent/answers.json", "home"],
    ["etc/agent/config.yml", "etc/agent/answers.json", "etc/agent"],
    ["own.yml", "answers.json", ""],
  ])("%s", (file, script, base) => {
    const { folder, load } = createAgentProject({ [file]: text });
    const { providers, mcpServers, options } = load(
      file === "own.yml" ? { path: "../own.yml" } : {},
    );
    expect(providers["s"]?.script).toBe(join(folder, script));
    expect(mcpServers["files"]).toEqual({
      command: "./server",
      args: [],
      cwd: join(folder, base, "notes"),
    });
    expect(options.workspaceRoot).toBe(join(folder, base, "src"));
  });
});
