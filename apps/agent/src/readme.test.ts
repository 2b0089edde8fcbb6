import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAgentConfig, splitFrontMatter } from "./settings/index.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { HELP } from "./command-line.ts";
import { createWorld } from "./testing/world.ts";

const page = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const fence = (language: string): string => {
  const [, text = ""] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
  expect(text).not.toBe("");
  return text;
};

const cwd = mkdtempSync(join(tmpdir(), "agent-readme-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test("the first command prints what the README shows, and nothing else", async () => {
  const [, options = "", prompt = ""] =
    /^npx @toolcontract\/agent (--provider scripted) "(.*)"$/m.exec(page) ?? [];
  const world = await createWorld({ onTestFinished });
  const ran = await world.run([...options.split(" "), prompt]);
  expect(ran).toEqual({ exitCode: 0, stdout: fence("markdown"), stderr: "" });
});

test("the configuration of the README is valid, and all of it is read", () => {
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(join(cwd, ".agent/config.yml"), fence("yaml"));
  const keys = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", TOKEN: "c" };
  const places = { cwd, home: false, system: false, env: keys } as const;
  const { targets, providers, mcpServers, ...config } = loadAgentConfig(places);
  expect(targets.map(({ provider }) => provider)).toEqual(["main", "claude"]);
  expect(Object.keys(providers)).toEqual(["main", "claude", "local"]);
  expect(Object.keys(mcpServers)).toEqual(["files", "web"]);
  expect(config.headersOf("web")).toEqual({ Authorization: "Bearer c" });

  const promptFile = join(cwd, "weekly.md");
  writeFileSync(promptFile, fence("md"));
  const prompted = loadAgentConfig({ ...places, promptFile });
  expect(config.session.maxTurns).toBe(8);
  expect(prompted.session).toMatchObject({ maxTurns: 4, expectedOutputFormat: "text" });
  expect(splitFrontMatter(fence("md")).body.trim()).toBe("Summarise the notes of this week.");
});

test("the README and the help name the same options and exit codes", () => {
  const options = [...HELP.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(options.length).toBeGreaterThan(7);
  for (const name of options.filter((one) => !["help", "version"].includes(one))) {
    expect(page).toContain(`--${name}`);
  }
  for (const code of [0, 1, 3, 4, 5, 130]) {
    expect(page).toMatch(new RegExp(`^\\| ${code} +\\|`, "m"));
    expect(HELP).toMatch(new RegExp(`\\b${code} [a-z]`));
  }
});
