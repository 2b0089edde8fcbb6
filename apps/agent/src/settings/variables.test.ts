import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MissingVariableError } from "@toolcontract/config";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";

const ENV = { A: "one", N: "3", F: "0.5", B: "True", P: "openai" };

describe("${NAME} is expanded in every string of our sections", () => {
  test.each([
    ['session: { max_turns: "${N}" }', { session: { maxTurns: 3 } }],
    ['session: { temperature: "${F}" }', { settings: { temperature: 0.5 } }],
    [
      'session: { stop_sequences: ["${A}", "b${A}"] }',
      { settings: { stopSequences: ["one", "bone"] } },
    ],
    [
      'session: { provider_options: { x: { deep: ["${A}", { y: "${N}" }] } } }',
      { settings: { providerOptions: { x: { deep: ["one", { y: "3" }] } } } },
    ],
    [
      'session: { expected_output_format: json, output_schema: { title: "${A}" } }',
      { session: { outputSchema: { title: "one" } } },
    ],
    [
      'providers: { main: { type: "${P}", api_key: "x${A}", headers: { h: "${A}" } } }',
      { providers: { main: { type: "openai", apiKey: "xone", headers: { h: "one" } } } },
    ],
    [
      'providers: { main: { type: openai } }\ntargets: [{ provider: main, model: "m-${N}", context_window: "${N}" }]',
      { targets: [{ model: "m-3", contextWindow: 3 }] },
    ],
    [
      'mcp_servers: { s: { command: "${A}", args: ["${A}", x] } }',
      { mcpServers: { s: { command: "one", args: ["one", "x"] } } },
    ],
    [
      'mcp_servers: { s: { url: "https://${A}/mcp", tool_timeout: "${N}" } }',
      { mcpServers: { s: { url: "https://one/mcp", toolTimeout: 3 } } },
    ],
    ['queues: { q: { concurrent: "${N}" } }', { queues: { q: { concurrent: 3 } } }],
    ['tools: { validation: { interpreter: "${B}" } }', { options: { interpreter: true } }],
  ])("%s", (text, expected) => {
    expect(createAgentProject({ [CWD_FILE]: text }).load({ env: ENV })).toMatchObject(expected);
  });
});

describe("what is not expanded", () => {
  test.each([
    [
      'mcp_servers: { s: { command: x, env: { K: "${NOT_SET}" } } }',
      { mcpServers: { s: { env: { K: "${NOT_SET}" } } } },
    ],
    [
      'mcp_servers: { s: { url: "http://x", headers: { K: "${NOT_SET}" } } }',
      { mcpServers: { s: { headers: { K: "${NOT_SET}" } } } },
    ],
    [
      'session: { provider_options: { x: { y: "${parameters.foo}" } } }',
      { settings: { providerOptions: { x: { y: "${parameters.foo}" } } } },
    ],
    [
      'tools: { guardrails: { locks: { t: ["${NOT_SET}"] } } }',
      { guardrails: { locks: { t: ["${NOT_SET}"] } } },
    ],
    ['others: { x: "${NOT_SET}" }', { session: {} }],
    [
      'queues: { "${NOT_SET}": { concurrent: 1 } }',
      { queues: { "${NOT_SET}": { concurrent: 1 } } },
    ],
  ])("%s", (text, expected) => {
    expect(createAgentProject({ [CWD_FILE]: text }).load()).toMatchObject(expected);
  });

  test("a value is not expanded twice", () => {
    const { load } = createAgentProject({
      [CWD_FILE]: 'session: { stop_sequences: ["${A}"] }',
    });
    expect(load({ env: { A: "${B}", B: "x" } }).settings.stopSequences).toEqual(["${B}"]);
  });
});

describe("where a variable is looked up", () => {
  const text = 'session: { stop_sequences: ["${V}"] }';
  const json = JSON.stringify({ session: { stopSequences: ["${V}"] } });

  /** Each layer with its env files, highest precedence first. */
  const ROWS = [
    [
      CWD_FILE,
      text,
      [
        "project/.agent/.ai-agent.env",
        "project/.ai-agent.env",
        "project/.agent/.env",
        "project/.env",
      ],
    ],
    ["project/.ai-agent.json", json, ["project/.ai-agent.env", "project/.env"]],
    ["ask.md", `---\n${text}\n---\nAsk.`, [".ai-agent.env", ".env"]],
    ["own.yml", text, [".ai-agent.env", ".env"]],
    ["own.json", json, [".ai-agent.env", ".env"]],
    [
      "home/.agent/config.yml",
      text,
      [
        "home/.agent/.ai-agent.env",
        "home/.ai-agent.env",
        "home/.agent/ai-agent.env",
        "home/ai-agent.env",
        "home/.agent/.env",
        "home/.env",
      ],
    ],
    [
      "home/.ai-agent/ai-agent.json",
      json,
      ["home/.ai-agent/.ai-agent.env", "home/.ai-agent/ai-agent.env", "home/.ai-agent/.env"],
    ],
    [
      "etc/agent/config.yml",
      text,
      ["etc/agent/.ai-agent.env", "etc/agent/ai-agent.env", "etc/agent/.env"],
    ],
    [
      "etc/ai-agent/ai-agent.json",
      json,
      ["etc/ai-agent/.ai-agent.env", "etc/ai-agent/ai-agent.env", "etc/ai-agent/.env"],
    ],
  ] as const;

  test.each(ROWS)("%s: each of its env files, then the environment", (file, content, envFiles) => {
    const places = [...envFiles, undefined];
    for (const [index, first] of places.entries()) {
      const present = envFiles.slice(index).map((path) => [path, `V=${path}\n`] as const);
      const { load, folder } = createAgentProject({
        [file]: content,
        ...Object.fromEntries(present),
      });
      const isExplicit = file.startsWith("own.");
      const { settings } = load({
        env: { V: "environment" },
        ...(isExplicit && { path: join(folder, file) }),
        ...(file === "ask.md" && { promptFile: join(folder, file) }),
      });
      expect(settings.stopSequences).toEqual([first ?? "environment"]);
    }
  });

  test("an env file counts for its own layer only", () => {
    const { load } = createAgentProject({
      [CWD_FILE]: 'session: { stop_sequences: ["${V}"] }',
      "home/.agent/config.yml": 'session: { max_turns: "${V}" }',
      "home/.agent/.env": "V=7",
    });
    expect(load({ env: { V: "environment" } })).toMatchObject({
      session: { maxTurns: 7 },
      settings: { stopSequences: ["environment"] },
    });
  });

  test("an env file that can't be read is a fault", () => {
    const { error, write } = createAgentProject({ [CWD_FILE]: text });
    write("project/.ai-agent.env", "x".repeat(1024 * 1024 + 1));
    expect(error({ env: { V: "x" } }).message).toContain(
      "• .ai-agent.env:1:1 (unreadable-file): The file can't be read: it is larger than 1 MiB",
    );
  });
});

describe("a variable that is set nowhere", () => {
  test.each([
    ["prompt", "ask.md", '---\nsession: { stop_sequences: ["${V}"] }\n---\n', 2],
    ["explicit", "own.json", '{ "session":\n{ "stopSequences": ["${V}"] } }', 2],
    ["cwd", CWD_FILE, 'session: { stop_sequences: ["${V}"] }', 1],
    ["home", "home/.ai-agent/ai-agent.json", '{"session":{"stopSequences":["${V}"]}}', 1],
    ["system", "etc/agent/config.yml", 'session: { stop_sequences: ["${V}"] }', 1],
  ])("the error names the layer %s, the file and the line", (layer, file, text, line) => {
    const { error, folder } = createAgentProject({ [file]: text });
    const thrown = error({
      ...(layer === "explicit" && { path: join(folder, file) }),
      ...(layer === "prompt" && { promptFile: join(folder, file) }),
    });
    expect(thrown).toBeInstanceOf(MissingVariableError);
    expect(thrown.faults).toMatchObject([
      {
        layer,
        file: join(folder, file),
        line,
        code: "missing-variable",
        message: `Variable 'V' is not set for the ${layer} layer`,
        expected: "V in the .ai-agent.env or .env file beside it or in the environment",
      },
    ]);
  });
});

test("a required value whose variable is not set is one fault", () => {
  const { error } = createAgentProject({
    [CWD_FILE]: 'targets: [{ provider: "${V}", model: m }]\nproviders: { p: { type: "${W}" } }',
  });
  expect(error().faults.map(({ message }) => message)).toEqual([
    "Variable 'V' is not set for the cwd layer",
    "Variable 'W' is not set for the cwd layer",
  ]);
});

describe("headersOf", () => {
  const FILES = {
    [CWD_FILE]: `mcp_servers:
  web:
    url: https://example.com
    headers:
      Authorization: Bearer \${TOKEN}
      Plain: x
`,
    "home/.ai-agent/ai-agent.json": JSON.stringify({
      mcpServers: { web: { headers: { "x-home": "${TOKEN}/${OTHER}" } } },
    }),
    "home/.ai-agent/ai-agent.env": "TOKEN=from home",
    "project/.ai-agent.env": "TOKEN=from work",
  };

  test("each header is expanded with the variables of its own layer", () => {
    const config = createAgentProject(FILES).load({ env: { OTHER: "environment" } });
    expect(config.headersOf("web")).toEqual({
      Authorization: "Bearer from work",
      Plain: "x",
      "x-home": "from home/environment",
    });
  });

  test("a variable that is set nowhere is an error then, not while loading", () => {
    const config = createAgentProject(FILES).load();
    const headersOf = (): unknown => config.headersOf("web");
    expect(headersOf).toThrow(MissingVariableError);
    expect(headersOf).toThrow(`Invalid configuration (1 error):

• ~/.ai-agent/ai-agent.json:1:43 /mcpServers/web/headers/x-home (missing-variable): Variable 'OTHER' is not set for the home layer
  Expected: OTHER in the .ai-agent.env or .env file beside it or in the environment`);
  });

  test("a server that does not exist", () => {
    expect(() => createAgentProject(FILES).load().headersOf("wbe")).toThrow(
      "headersOf: there is no server 'wbe'.",
    );
  });
});
