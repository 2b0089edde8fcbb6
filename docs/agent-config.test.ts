import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentConfig, loadAgentConfig } from "@toolcontract/config/agent";
import schema from "@toolcontract/config/agent-schema.json" with { type: "json" };
import { expect, onTestFinished, test } from "vitest";
import { fencesOf, readPage } from "./fences.ts";

const page = readPage("docs/agent-config.md");
const [example = "", wrong = ""] = fencesOf(page)
  .filter(({ language }) => language === "yaml")
  .map(({ text }) => text);

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
  const shown = fencesOf(page).find(({ language }) => language === "txt")?.text;
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
