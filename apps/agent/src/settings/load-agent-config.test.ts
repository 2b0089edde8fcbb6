import { describe, expect, test } from "vitest";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";

const EXAMPLE = `session: { max_turns: 8, max_retries: 3, tool_timeout: 30000, transport: xml-final, top_p: 0.9 }
providers:
  main: { type: openai-compatible, base_url: "http://127.0.0.1:8000/v1", api_key: "\${API_KEY}", seed: 7 }
targets:
  - { provider: main, model: small, context_window: 128000, temperature: 0.2 }
mcp_servers:
  files: { command: npx, args: ["-y", "server", "notes"], queue: default, env: { A: "\${NOT_SET}" } }
  web: { url: "https://example.com/mcp", headers: { Authorization: "Bearer \${TOKEN}" }, tool_timeout: 60000 }
queues: { default: { concurrent: 4 } }
tools: { validation: { retry: { max_attempts: 3 } } }
`;

describe("one file", () => {
  test("every section, under its names in code", () => {
    const { load } = createAgentProject({ [CWD_FILE]: EXAMPLE });
    const config = load({ env: { API_KEY: "k", TOKEN: "t" } });
    expect(config).toMatchObject({
      session: { maxTurns: 8, maxRetries: 3, toolTimeout: 30_000, transport: "xml-final" },
      settings: { topP: 0.9 },
      providers: {
        main: {
          type: "openai-compatible",
          baseUrl: "http://127.0.0.1:8000/v1",
          apiKey: "k",
          settings: { seed: 7 },
        },
      },
      targets: [
        {
          provider: "main",
          model: "small",
          contextWindow: 128_000,
          settings: { topP: 0.9, seed: 7, temperature: 0.2 },
        },
      ],
      mcpServers: {
        files: {
          command: "npx",
          args: ["-y", "server", "notes"],
          queue: "default",
          env: { A: "${NOT_SET}" },
        },
        web: {
          url: "https://example.com/mcp",
          headers: { Authorization: "Bearer ${TOKEN}" },
          toolTimeout: 60_000,
        },
      },
      queues: { default: { concurrent: 4 } },
      options: { maxAttempts: 3 },
      guardrails: {},
    });
    expect(config.headersOf("web")).toEqual({ Authorization: "Bearer t" });
    expect(config.headersOf("files")).toEqual({});
  });

  test("no file at all is an empty configuration", () => {
    expect(createAgentProject().load()).toMatchObject({
      session: {},
      settings: {},
      providers: {},
      targets: [],
      mcpServers: {},
      queues: {},
      options: {},
      files: [],
    });
  });
});
