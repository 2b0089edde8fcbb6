import { describe, expect, test } from "vitest";
import { ConfigError, MissingVariableError } from "@toolcontract/config";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";

describe("all faults at once", () => {
  test("ten faults of three files are ten bullets", () => {
    const { error, write } = createAgentProject({
      [CWD_FILE]: `session: { max_turns: 0, transport: xml_final }
providers:
  main: { type: openai-compatible, api_key: 12345 }
targets:
  - { provider: mian, model: small }
mcp_servers:
  files: { command: npx, queue: slwo }
  web: { url: example.com/mcp, headers: { Authorization: "Bearer \${TOKEN}" } }
queues: { slow: { concurrent: "\${LIMIT}" } }
`,
      "home/.ai-agent/ai-agent.json": `{
  "session": { "maxTurn": 5 },
  "mcpServers": { "none": { "toolTimeout": 60000 } }
}`,
    });
    const promptFile = write("project/ask.md", "---\nsession:\n  temperature: hot\n---\nAsk.");
    const thrown = error({ promptFile });
    expect(thrown).toBeInstanceOf(MissingVariableError);
    expect(thrown.message).toBe(`Invalid configuration (10 errors):

• ask.md:3:16 /session/temperature (VAL-002): Type mismatch: expected number, got string
  Expected: number at least 0
  Actual: "hot"
• .agent/config.yml:1:23 /session/max_turns (VAL-003): Value out of range
  Expected: integer at least 1
  Actual: 0
• .agent/config.yml:1:37 /session/transport (VAL-008): Invalid enum value
  Expected: one of "native", "xml-final", "xml"
  Actual: "xml_final"
  Hint: use "xml-final"
• .agent/config.yml:3:45 /providers/main/api_key (VAL-002): Type mismatch: expected string
  Expected: string
• .agent/config.yml:5:17 /targets/0/provider (wrong-setting): There is no provider "mian"; there is "main"
  Hint: use "main"
• .agent/config.yml:7:33 /mcp_servers/files/queue (wrong-setting): There is no queue "slwo"; there are "default", "slow"
  Hint: use "slow"
• .agent/config.yml:8:15 /mcp_servers/web/url (wrong-setting): Invalid URL
  Expected: a URL that begins with http:// or https://
• .agent/config.yml:9:31 /queues/slow/concurrent (missing-variable): Variable 'LIMIT' is not set for the cwd layer
  Expected: LIMIT in the .ai-agent.env or .env file beside it or in the environment
• ~/.ai-agent/ai-agent.json:2:16 /session/maxTurn (VAL-005): Unknown field 'maxTurn'
  Expected: only max_turns, max_tool_calls_per_turn, max_tokens, max_cost, max_retries and 25 more
  Hint: rename it to "max_turns"
• ~/.ai-agent/ai-agent.json:3:19 /mcpServers/none (missing-setting): The server has neither command nor url
  Expected: command for a server over stdio, or url for one over HTTP`);
  });

  test("a policy that runs at commit needs the effects of all layers", () => {
    const { error } = createAgentProject({
      [CWD_FILE]: "session: { max_turns: 0 }",
      "home/.ai-agent/ai-agent.json": `{
  "tools": { "guardrails": { "rules": [
    { "name": "budget", "stage": "commit", "allow": "true", "message": "m" }
  ] } }
}`,
    });
    expect(error().faults).toMatchObject([
      { layer: "cwd", path: "/session/max_turns" },
      {
        layer: "home",
        line: 3,
        column: 34,
        path: "/tools/guardrails/rules/0/stage",
        code: "invalid-policy",
        message: expect.stringContaining("no effect is declared") as string,
      },
    ]);
  });

  test("a variable that is missing makes it a MissingVariableError, else it is not one", () => {
    const { error } = createAgentProject({ [CWD_FILE]: "session: 3" });
    expect(error()).toBeInstanceOf(ConfigError);
    expect(error()).not.toBeInstanceOf(MissingVariableError);
  });

  test("a fault in a layer counts even if a higher layer sets the same key", () => {
    const { error } = createAgentProject({
      [CWD_FILE]: "session: { max_turns: 3 }",
      "home/.agent/config.yml": "session: { max_turns: 0 }",
    });
    expect(error().faults).toMatchObject([{ layer: "home", code: "VAL-003" }]);
  });
});

interface Row {
  readonly name: string;
  readonly text: string;
  readonly fault: object;
}

const MAIN = "providers: { main: { type: openai } }\n";

const WHOLE: readonly Row[] = [
  {
    name: "a provider without a type",
    text: "providers:\n  main: { api_key: x }",
    fault: {
      line: 2,
      column: 3,
      path: "/providers/main",
      code: "missing-setting",
      message: "The provider has no type",
      expected: "type: openai, anthropic, openai-compatible or scripted",
    },
  },
  {
    name: "a compatible endpoint without its address",
    text: "providers: { main: { type: openai-compatible } }",
    fault: {
      path: "/providers/main",
      message: "A provider of the type openai-compatible needs base_url",
    },
  },
  {
    name: "a scripted model without a script",
    text: "providers: { main: { type: scripted } }",
    fault: { path: "/providers/main", message: "A provider of the type scripted needs script" },
  },
  {
    name: "an API for a provider that has none",
    text: "providers: { main: { type: anthropic, api: chat } }",
    fault: {
      path: "/providers/main/api",
      code: "wrong-setting",
      message: "api is for the type openai only",
      hint: "remove it",
    },
  },
  {
    name: "an address that is not a URL",
    text: 'providers: { main: { type: openai, base_url: "localhost:8000/v1" } }',
    fault: {
      column: 46,
      path: "/providers/main/base_url",
      code: "wrong-setting",
      message: "Invalid URL",
      expected: "a URL that begins with http:// or https://",
    },
  },
  {
    name: "an address from a variable",
    text: 'providers: { main: { type: openai, base_url: "${HOST}/v1" } }',
    fault: { message: "Invalid URL", hint: "change the variable HOST" },
  },
  {
    name: "a server with an address of another protocol",
    text: 'mcp_servers: { web: { url: "ftp://x" } }',
    fault: { path: "/mcp_servers/web/url", message: "Invalid URL" },
  },
  {
    name: "a server with neither",
    text: "mcp_servers:\n  web: { queue: default }",
    fault: {
      line: 2,
      column: 3,
      path: "/mcp_servers/web",
      code: "missing-setting",
      message: "The server has neither command nor url",
      expected: "command for a server over stdio, or url for one over HTTP",
    },
  },
  {
    name: "a server with nothing",
    text: "mcp_servers:\n  web:\n",
    fault: { line: 2, column: 3, message: "The server has neither command nor url" },
  },
  {
    name: "a server with both",
    text: 'mcp_servers: { web: { command: x, url: "http://x" } }',
    fault: {
      path: "/mcp_servers/web",
      code: "wrong-setting",
      message: "The server has both command and url",
      hint: "remove one of them",
    },
  },
  {
    name: "headers for a server over stdio",
    text: "mcp_servers: { web: { command: x, headers: {} } }",
    fault: { path: "/mcp_servers/web/headers", message: "headers is for servers with a url only" },
  },
  {
    name: "arguments for a server over HTTP",
    text: 'mcp_servers: { web: { url: "http://x", args: [] } }',
    fault: { path: "/mcp_servers/web/args", message: "args is for servers with a command only" },
  },
  {
    name: "a queue that is not defined, nearly",
    text: "mcp_servers: { a: { command: x, queue: slwo } }\nqueues: { slow: { concurrent: 1 } }",
    fault: {
      path: "/mcp_servers/a/queue",
      code: "wrong-setting",
      message: 'There is no queue "slwo"; there are "default", "slow"',
      hint: 'use "slow"',
    },
  },
  {
    name: "a queue that is not defined, unlike any other",
    text: "mcp_servers: { a: { command: x, queue: browser } }",
    fault: {
      message: 'There is no queue "browser"; there is "default"',
      hint: "define it below queues",
    },
  },
  {
    name: "a queue without a limit",
    text: "queues:\n  slow: {}",
    fault: {
      line: 2,
      column: 3,
      path: "/queues/slow",
      message: "The queue has no limit",
      expected: "concurrent: how many tools run at once",
    },
  },
  {
    name: "a target of a provider that is not defined, nearly",
    text: `${MAIN}targets: [{ provider: mian, model: m }]`,
    fault: {
      line: 2,
      column: 23,
      path: "/targets/0/provider",
      message: 'There is no provider "mian"; there is "main"',
      hint: 'use "main"',
    },
  },
  {
    name: "a target without any provider",
    text: "targets: [{ provider: main, model: m }]",
    fault: {
      message: 'There is no provider "main", nor any other',
      hint: "define it below providers",
    },
  },
  {
    name: "a target's provider from a variable",
    text: `${MAIN}targets: [{ provider: "\${HOST}", model: m }]`,
    fault: { path: "/targets/0/provider", hint: "change the variable HOST" },
  },
  {
    name: "a schema of the report for a format without one",
    text: "session: { output_schema: { type: object } }",
    fault: {
      path: "/session/output_schema",
      code: "wrong-setting",
      message: "output_schema needs the format json: no other format has a schema",
      hint: "set expected_output_format: json",
    },
  },
  {
    name: "a window that the answer fills",
    text: `session: { max_output_tokens: 900 }\n${MAIN}targets: [{ provider: main, model: m, context_window: 1000 }]`,
    fault: {
      path: "/targets/0/context_window",
      code: "wrong-setting",
      message: "The context window leaves no room for a prompt",
      expected: "more than 1000, which the buffer and the answer (max_output_tokens) take",
    },
  },
  {
    name: "a window that its buffer fills",
    text: `${MAIN}targets: [{ provider: main, model: m, context_window: 100, context_window_buffer_tokens: 100 }]`,
    fault: { expected: "more than 100, which the buffer and the answer (max_output_tokens) take" },
  },
  {
    name: "a target without a model",
    text: `${MAIN}targets: [{ provider: main }]`,
    fault: { path: "/targets/0/model", code: "VAL-001" },
  },
  ...[
    ["session", `session: { repeat_penalty: 1 }\n${MAIN}`, "", "/session"],
    [
      "provider",
      "providers: { main: { type: openai, repeat_penalty: 1 } }\n",
      "",
      "/providers/main",
    ],
    ["target", MAIN, ", repeat_penalty: 1", "/targets/0"],
  ].map(([where = "", before = "", inside = "", path = ""]): Row => {
    return {
      name: `repeat_penalty of the ${where} for a provider that has none`,
      text: `${before}targets: [{ provider: main, model: m${inside} }]`,
      fault: {
        path: `${path}/repeat_penalty`,
        message: "repeat_penalty is for providers of the type openai-compatible only",
        hint: "remove it, or set it in the providers or targets of that type",
      },
    };
  }),
];

const KEYS: readonly Row[] = [
  ["session: { context_window: 5 }", "context_window belongs in a target"],
  ["session: { queue_of: {} }", "set `queue` in a server of mcp_servers"],
  ["session: { queues: {} }", "the key is queues, beside session"],
  ["session: { on_event: log }", "pass `onEvent` in code: it can't be set in a file"],
  ["session: { reasoning_effort: high }", "the key is reasoning"],
  ["providers: { main: { type: openai, max_tokens: 5 } }", "the key is max_output_tokens"],
  ["session: { max_turns: 5, maxTurns: 5 }", "the key is max_turns"],
  [
    "mcp_servers: { a: { command: x, type: stdio } }",
    "remove it: command or url says which kind of server it is",
  ],
  ["mcp_servers: { a: { command: x, base_url: x } }", "base_url belongs in a provider"],
  [`${MAIN}targets: [{ provider: main, model: m, api_key: x }]`, "api_key belongs in a provider"],
  ["providers: { main: { type: openai, max_turns: 5 } }", "max_turns belongs in session"],
  ["tools: { validation: { max_attempts: 3 } }", "the key is tools.validation.retry.max_attempts"],
].map(([text = "", hint = ""]) => ({ name: text, text, fault: { code: "VAL-005", hint } }));

const VALUES: readonly Row[] = [
  {
    name: "a number as a string",
    text: 'session: { max_turns: "3" }',
    fault: { code: "VAL-002", actual: '"3"', hint: "write 3 without quotes" },
  },
  {
    name: "a number for a string",
    text: `${MAIN}targets: [{ provider: main, model: 5 }]`,
    fault: { code: "VAL-002", hint: "put quotes around it" },
  },
  {
    name: "an environment variable that is a number",
    text: "mcp_servers: { a: { command: x, env: { PORT: 8080 } } }",
    fault: { path: "/mcp_servers/a/env/PORT", hint: "put quotes around it" },
  },
  {
    name: "JSON in a string",
    text: `mcp_servers: { a: { command: x, args: '["y"]' } }`,
    fault: { hint: "write the array itself, not a JSON string" },
  },
  {
    name: "a string for an array",
    text: "mcp_servers: { a: { command: x, args: y } }",
    fault: { hint: "put it in an array" },
  },
  {
    name: "a key without a value",
    text: "providers: { main: { type: openai, api_key: } }",
    fault: { hint: "leave it out" },
  },
  {
    name: "a word that is nearly one of a list",
    text: "session: { transport: xml_final }",
    fault: { code: "VAL-008", actual: '"xml_final"', hint: 'use "xml-final"' },
  },
  {
    name: "a time that no timer can wait",
    text: "session: { tool_timeout: 3000000000 }",
    fault: { code: "VAL-003", expected: "integer from 1 to 2147483647" },
  },
  { name: "a list as the file", text: "- a", fault: { path: "", code: "VAL-002" } },
];

describe("one fault", () => {
  test.each([...WHOLE, ...KEYS, ...VALUES])("$name", ({ text, fault }) => {
    const { error } = createAgentProject({ [CWD_FILE]: text });
    expect(error({ env: { HOST: "nowhere" } }).faults).toMatchObject([fault]);
  });
});

describe("what only the merged layers show", () => {
  const two = (work: string, home: string) =>
    createAgentProject({ [CWD_FILE]: work, "home/.agent/config.yml": home });

  test("what a lower layer sets is there", () => {
    const { load } = two(
      "providers: { main: { api_key: k } }\ntargets: [{ provider: other, model: m }]",
      "providers: { main: { type: openai }, other: { type: anthropic } }",
    );
    expect(Object.keys(load().providers)).toEqual(["main", "other"]);
  });

  test("a fault is shown in the highest layer that sets the value", () => {
    const { error } = two(
      'mcp_servers: { web: { url: "http://x" } }',
      "mcp_servers: { web: { command: x } }",
    );
    expect(error().faults).toMatchObject([
      {
        layer: "cwd",
        path: "/mcp_servers/web",
        hint: "remove one of them: command is in the home layer, url in the cwd layer",
      },
    ]);
  });

  test.each([
    ["a misspelt key", "providers: { main: { tpye: openai } }", ["VAL-005"]],
    ["a key in camelCase", "mcpServers: {}\nmcp_servers: { a: {} }", ["duplicate-name"]],
    [
      "a variable that is not set",
      'providers: { main: { type: openai-compatible, base_url: "${NOPE}" } }',
      ["missing-variable"],
    ],
    [
      "a section of the wrong type",
      "providers: 3\ntargets: [{ provider: a, model: m }]",
      ["VAL-002"],
    ],
    [
      "a file that can't be read",
      "providers: [\ntargets: [{ provider: a, model: m }]",
      ["invalid-yaml"],
    ],
  ])("a consequence of another fault is none: %s", (_, text, codes) => {
    const { error } = createAgentProject({ [CWD_FILE]: text });
    expect(error().faults.map(({ code }) => code)).toEqual(codes);
  });

  test("the default queue exists, and repeat_penalty reaches compatible endpoints", () => {
    const { load } = createAgentProject({
      [CWD_FILE]: `
session: { repeat_penalty: 1.1 }
providers: { main: { type: openai-compatible, base_url: "http://x" } }
targets: [{ provider: main, model: m }]
mcp_servers: { a: { command: x, queue: default } }
`,
    });
    expect(load()).toMatchObject({ queues: {}, targets: [{ settings: { repeatPenalty: 1.1 } }] });
  });
});

describe("keys beside ours", () => {
  test("belong to others", () => {
    const { load } = createAgentProject({
      [CWD_FILE]: "title: x\nrest: { a: '${NOPE}' }\ntools: { queues: [] }",
    });
    expect(load()).toMatchObject({ session: {} });
  });

  test.each([
    ["provider: {}", 'rename it to "providers"'],
    ["mcp_server: {}", 'rename it to "mcp_servers"'],
    ["max_turns: 3", "move it below session"],
    ["maxTurns: 3", "move it below session"],
    ["validation: {}", "move it below tools"],
    ["sesion: { max_turns: 3 }", 'rename it to "session"'],
    ["guardrail: {}", "the key is tools.guardrails"],
  ])("%s is a fault", (text, hint) => {
    const { error } = createAgentProject({ [CWD_FILE]: text });
    expect(error().faults).toMatchObject([{ line: 1, code: "VAL-005", hint }]);
  });
});

describe("JSON", () => {
  test.each([
    ['{ "session": { "maxTurns": 3 }', 1],
    ['{\n  "session" { "maxTurns": 3 }\n}', 2],
    ['{\n"session": { "transport": "xml }\n}', 2],
    ['{ "session": {} }\n{ }', 2],
  ])("a syntax error has its line: %j", (text, line) => {
    const { error } = createAgentProject({ "project/.ai-agent.json": text });
    const [first] = error().faults;
    expect(first).toMatchObject({ code: "invalid-json" });
    expect(first?.line).toBeGreaterThanOrEqual(line);
    expect(error().message).not.toMatch(/YAML|indent/i);
  });

  test("a wrong escape, and a key that appears twice", () => {
    const { error } = createAgentProject({
      "project/.ai-agent.json": String.raw`{ "session": { "transport": "C:\xml" },
"queues": {}, "queues": {} }`,
    });
    expect(error().faults).toMatchObject([
      {
        line: 1,
        message: "Unknown escape in a string",
        hint: String.raw`write \\ for \ `.trimEnd(),
      },
      { line: 2, message: "This key appears twice in one mapping", hint: "keep one of them" },
    ]);
  });
});
