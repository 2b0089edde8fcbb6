import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { ConfigError } from "@toolcontract/config";
import { memberSchema } from "@toolcontract/config/adapter";
import { agentSchema } from "./agent-schema.ts";
import { createAgentProject, CWD_FILE } from "./testing/agent-project.ts";

const SECTIONS = ["session", "providers", "targets", "mcp_servers", "queues", "tools"];
const KEYS = SECTIONS.flatMap((section) => {
  const outer = memberSchema(agentSchema(false), section);
  return [outer, memberSchema(outer, "0")].flatMap((one) => Object.keys(one?.["properties"] ?? {}));
});
const key = fc.oneof(
  fc.constantFrom(...SECTIONS, ...KEYS, "main", "mcpServers", "baseUrl", "__proto__", "<<"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("${A}", "${B}x", "main", "openai", "openai-compatible", "http://x", "default"),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
  ),
}));
const file = fc.dictionary(fc.constantFrom(...SECTIONS, "mcpServers"), tree);
const nearly = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "session",
        "providers",
        ": ",
        "\n",
        "  ",
        "{",
        "}",
        "[",
        "]",
        "- ",
        "&a ",
        "*a",
        '"',
        ",",
        "\t",
        "//",
        "\\q",
      ),
      key,
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));
const yaml = fc.oneof(
  file.map((value) => stringify(value)),
  nearly,
);
const json = fc.oneof(
  file.map((value) => JSON.stringify(value)),
  file.map((value) => JSON.stringify(value, null, "\t")),
  nearly,
);

describe("for any files, loading returns a configuration or throws a ConfigError", () => {
  const check = (load: () => unknown, texts: readonly string[]): void => {
    try {
      expect(load()).toHaveProperty("session");
    } catch (thrown) {
      if (!(thrown instanceof ConfigError)) throw thrown;
      const lines = Math.max(...texts.map((text) => text.split(/\r\n|\n/).length));
      for (const { line, column, message, file: path } of thrown.faults) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines + 2);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(message).toMatch(/^[^\n]{3,300}$/);
        expect(path).not.toBe("");
      }
    }
  };

  test("YAML, JSON and front matter in three layers", () => {
    const { write, load, folder } = createAgentProject();
    fc.assert(
      fc.property(yaml, json, yaml, (work, home, front) => {
        write(CWD_FILE, work);
        write("home/.ai-agent/ai-agent.json", home);
        write("ask.md", `---\n${front}\n---\nAsk.`);
        const options = { promptFile: `${folder}/ask.md`, env: { A: "3", B: "\u0000" } };
        check(() => load(options), [work, home, front]);
      }),
    );
  });
});

test("every JSON text is read as JSON.parse reads it", () => {
  const { write, load } = createAgentProject();
  const anyOptions = fc.dictionary(
    fc.string(),
    fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
  );
  fc.assert(
    fc.property(anyOptions, fc.constantFrom(undefined, "\t", 2), (providerOptions, indent) => {
      const text = JSON.stringify({ session: { providerOptions } }, null, indent);
      fc.pre(!text.includes("${"));
      write("project/.ai-agent.json", text);
      const expected = (JSON.parse(text) as { readonly session: object }).session;
      expect(JSON.stringify({ providerOptions: load().settings.providerOptions })).toBe(
        JSON.stringify(expected),
      );
    }),
  );
});

describe("no message shows a secret", () => {
  const SECRET = "correct-horse-battery";
  /** Right and wrong shapes of a value with the secret. */
  const shapes = fc.constantFrom<unknown>(
    SECRET,
    [SECRET],
    { a: SECRET },
    { a: { b: [SECRET] } },
    [[SECRET]],
    `["${SECRET}"]`,
    `{"a":"${SECRET}"}`,
    "x${SECRET}",
    "${SECRET}",
    ["${SECRET}"],
    { a: "${SECRET}", b: 3 },
    { a: `Bearer ${SECRET}`, b: { c: null } },
  );
  const places = fc.constantFrom<readonly string[]>(
    ["providers", "main", "api_key"],
    ["providers", "main", "base_url"],
    ["providers", "main", "headers"],
    ["providers", "main", "headers", "Authorization"],
    ["providers", "main", "apikey"],
    ["providers", "main"],
    ["providers"],
    ["mcp_servers", "a", "env"],
    ["mcp_servers", "a", "env", "TOKEN"],
    ["mcp_servers", "a", "headers"],
    ["mcp_servers", "a", "headers", "Authorization"],
    ["mcp_servers", "a", "args"],
    ["mcp_servers", "a", "url"],
    ["mcp_servers", "a", "command"],
    ["mcp_servers", "a", "enviroment"],
    ["mcp_servers", "a"],
    ["mcp_servers"],
    ["mcpServers"],
    ["targets"],
    ["queues"],
    ["session"],
    ["session", "provider_options"],
    ["session", "output_schema"],
    ["session", "api_key"],
  );
  const broken = fc.constantFrom("", "[", "}", '"', "\n\t: *x", ": x: y");

  test.each([
    [CWD_FILE, (value: unknown) => stringify(value)],
    ["project/.ai-agent.json", (value: unknown) => JSON.stringify(value)],
  ])("%s", (path, write) => {
    const project = createAgentProject();
    let faults = 0;
    fc.assert(
      fc.property(places, shapes, broken, (keys, shape, rest) => {
        const value = keys.reduceRight<unknown>((inner, one) => ({ [one]: inner }), shape);
        project.write(path, write(value) + rest);
        try {
          project.load({ env: { SECRET } });
        } catch (thrown) {
          if (!(thrown instanceof ConfigError)) throw thrown;
          faults += 1;
          const shown = `${thrown.message}${thrown.stack}${JSON.stringify(thrown.faults)}`;
          expect(shown).not.toContain("horse");
        }
      }),
      { numRuns: 500 },
    );
    expect(faults).toBeGreaterThan(100);
  });
});
