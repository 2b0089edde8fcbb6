import { describe, expect, test } from "vitest";
import { memberSchema } from "@toolcontract/config/adapter";
import { agentSchema } from "./agent-schema.ts";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";

/** A value for every key of the schema, in the spelling of YAML. */
const SETTINGS = {
  temperature: 0.5,
  top_p: 0.5,
  top_k: 5,
  max_output_tokens: 5,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  repeat_penalty: 1,
  stop_sequences: ["endHere"],
  seed: 5,
  reasoning: "low",
  provider_options: { openAi: { someOption: { innerName: 1 } } },
};
const SESSION = {
  max_turns: 5,
  max_retries: 5,
  max_tool_calls_per_turn: 5,
  max_tokens: 5,
  max_cost: 0.5,
  request_timeout: { first_token: 5, silence: 5, total: 5 },
  repeatable_tools: ["pollAll"],
  max_rate_limit_wait: 5,
  tool_timeout: 5,
  tool_response_max_bytes: 5,
  tool_response: { keep: "head" },
  truncate_exempt: ["agentBatch"],
  expected_output_format: "json",
  output_schema: { type: "object", properties: { maxTurns: {} } },
  plain_text: "retry",
  report_as: "call",
  unverified: "mark",
  transport: "xml",
  rate_limit_wait: "always",
  ...SETTINGS,
};
const PROVIDER = {
  type: "openai-compatible",
  base_url: "http://x",
  api_key: "k",
  headers: { baseUrl: "x" },
  ...SETTINGS,
};
const TARGET = {
  provider: "theMain",
  model: "m",
  context_window: 500,
  context_window_buffer_tokens: 5,
  request_timeout: { total: 5 },
  price: { input: 1, output: 2 },
  ...SETTINGS,
};
const LIMITS = { queue: "slowOnes", start_timeout: 5, tool_timeout: 5, tool_response_max_bytes: 5 };
const STDIO = {
  command: "x",
  args: ["toolTimeout"],
  env: { maxTurns: "1" },
  inherit_env: ["maxTurns"],
  cwd: "/",
  ...LIMITS,
};
const HTTP = { url: "http://x", headers: { toolTimeout: "1" }, ...LIMITS };

/** A configuration with every key; `key` spells the fixed ones. */
function everything(key: (name: string) => string): object {
  const fixed = (members: object): object =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [key(name), value]));
  return {
    session: fixed(SESSION),
    providers: {
      theMain: fixed(PROVIDER),
      theOther: fixed({ type: "openai", api: "responses" }),
      aThird: fixed({ type: "scripted", script: "/x.json" }),
    },
    targets: [fixed(TARGET)],
    [key("mcp_servers")]: { maxTurns: fixed(STDIO), baseUrl: fixed(HTTP) },
    queues: { slowOnes: fixed({ concurrent: 5 }) },
    tools: {
      validation: {
        retry: fixed({ max_attempts: 5, on_blocked: "refuse" }),
        ...fixed({ repair_json: false }),
      },
      guardrails: { effects: { maxTurns: "none" } },
    },
  };
}

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string => name;

/** The sections, and where their fixed keys are. */
const SECTIONS = ["session", "providers", "targets", "mcp_servers", "queues"] as const;
const keysIn = (section: (typeof SECTIONS)[number]): readonly string[] => {
  const outer = memberSchema(agentSchema(false), section);
  const inner = section === "session" ? outer : memberSchema(outer, "0");
  return Object.keys(inner?.["properties"] ?? {});
};
const WITH_VALUES = {
  session: SESSION,
  providers: { ...PROVIDER, api: "", script: "" },
  targets: TARGET,
  mcp_servers: { ...STDIO, ...HTTP },
  queues: { concurrent: 5 },
};

test("the table has every key of the schema", () => {
  for (const section of SECTIONS) {
    expect(Object.keys(WITH_VALUES[section]).toSorted()).toEqual(keysIn(section).toSorted());
  }
});

describe("the spec's JSON files may spell fixed keys in camelCase", () => {
  const load = (file: string, content: object) => {
    const { load: loadFile, folder } = createAgentProject({ [file]: JSON.stringify(content) });
    const {
      files: _,
      origins,
      ...config
    } = loadFile(file.startsWith("own") ? { path: `${folder}/${file}` } : {});
    return { ...config, headersOf: undefined, envOf: undefined, pointers: Object.keys(origins) };
  };
  test.each([
    ["project/.ai-agent.json", camel],
    ["home/.ai-agent/ai-agent.json", camel],
    ["etc/ai-agent/ai-agent.json", camel],
    ["own.json", camel],
    ["own.JSON", camel],
    ["own.json", snake],
  ])("%s, names and values untouched", (file, key) => {
    expect(load(file, everything(key))).toEqual(load(CWD_FILE, everything(snake)));
  });

  test("both spellings of one key are a fault", () => {
    const { error } = createAgentProject({
      "project/.ai-agent.json": `{ "session": { "max_turns": 3, "maxTurns": 4 },
  "providers": { "p": { "type": "openai", "baseUrl": "http://x", "baseURL": "http://y" } },
  "mcpServers": { "s": { "command": "x", "tool_timeout": 1, "toolTimeout": 2 } } }`,
    });
    expect(error().faults).toMatchObject([
      {
        path: "/session/maxTurns",
        line: 1,
        column: 32,
        code: "duplicate-name",
        message: "'maxTurns' and 'max_turns' are the same key",
        hint: 'remove "maxTurns"',
      },
      {
        path: "/providers/p/baseURL",
        line: 2,
        message: "'baseURL' and 'base_url' are the same key",
      },
      { path: "/mcpServers/s/toolTimeout", line: 3 },
    ]);
  });

  test("a fault names the key as the file spells it", () => {
    const { error } = createAgentProject({
      "project/.ai-agent.json": `{
\t"mcpServers": {
\t\t"files": { "command": "x", "toolTimeout": 0, "toolTimout": 1 }
\t}
}`,
    });
    expect(error().faults).toMatchObject([
      { line: 3, column: 45, path: "/mcpServers/files/toolTimeout", code: "VAL-003" },
      { line: 3, column: 48, path: "/mcpServers/files/toolTimout", code: "VAL-005" },
    ]);
  });
});

describe("in YAML, camelCase is a fault with the name to use", () => {
  const rows = SECTIONS.flatMap((section) =>
    keysIn(section)
      .filter((key) => key.includes("_"))
      .map((key) => ({ section, key, written: camel(key) })),
  );
  const content = (section: string, members: object): object => {
    if (section === "session") return { session: members };
    return { [section]: section === "targets" ? [members] : { one: members } };
  };

  test.each(rows)("$section: $written", ({ section, key, written }) => {
    const { error } = createAgentProject({
      [CWD_FILE]: JSON.stringify(content(section, { [written]: 1 })),
    });
    const fault = error().faults.find(({ path }) => path.endsWith(`/${written}`));
    expect(fault).toMatchObject({ code: "VAL-005", message: `Unknown field '${written}'` });
    expect([`rename it to "${key}"`, `the key is ${key}`]).toContain(fault?.hint);
  });

  test("mcpServers", () => {
    const { error } = createAgentProject({ [CWD_FILE]: "mcpServers: {}" });
    expect(error().faults).toEqual([
      expect.objectContaining({
        line: 1,
        column: 1,
        path: "/mcpServers",
        code: "VAL-005",
        message: "Unknown field 'mcpServers'",
        hint: 'rename it to "mcp_servers"',
      }),
    ]);
  });
});
