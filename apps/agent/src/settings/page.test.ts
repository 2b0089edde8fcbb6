import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import schema from "../../agent-schema.json" with { type: "json" };
import { type AgentConfig, loadAgentConfig } from "./index.ts";

const page = readFileSync(new URL("../../../../docs/agent-config.md", import.meta.url), "utf8");
const fencesOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );
const [example = "", wrong = ""] = fencesOf("yaml");

function load(text: string): AgentConfig {
  const cwd = mkdtempSync(join(tmpdir(), "toolcontract-page-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(join(cwd, ".agent/config.yml"), text);
  return loadAgentConfig({
    cwd,
    home: false,
    system: false,
    env: { API_KEY: "key", TOKEN: "token" },
  });
}

test("the file of the page is valid", () => {
  const config = load(example);
  expect(config).toMatchObject({ session: { maxTurns: 8 }, queues: { slow: { concurrent: 2 } } });
  expect(config.headersOf("web")).toEqual({ Authorization: "Bearer token" });
});

test("the error of the page is the answer to its wrong file", () => {
  const [shown] = fencesOf("txt");
  expect(() => load(wrong)).toThrow(expect.objectContaining({ message: shown }));
});

test("every key of the schema is on the page", () => {
  const { session, providers, targets, mcp_servers: servers, queues } = schema.properties;
  const sections = [
    session,
    providers.additionalProperties,
    targets.items,
    servers.additionalProperties,
    queues.additionalProperties,
  ];
  const keys = sections.flatMap(({ properties }) => Object.keys(properties));
  expect(keys.length).toBeGreaterThan(40);
  expect(
    keys.filter((key) => !page.includes(`.${key}\``) && !page.includes(`| \`${key}\``)),
  ).toEqual([]);
});

test("every default of session is on the page", () => {
  for (const [key, member] of Object.entries(schema.properties.session.properties)) {
    if (!("default" in member)) continue;
    expect(page).toMatch(new RegExp(`\\| \`${key}\` +\\| \`${member.default}\` +\\|`));
  }
});
