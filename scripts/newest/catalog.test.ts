import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { FRAMEWORKS, peersIn, withVersions } from "./catalog.ts";

const WORKSPACE = `packages:
  - packages/*

catalog:
  # A note.
  "@langchain/core": 1.2.13
  "@langchain/langgraph": 1.4.14
  langchain: 1.5.14
  ai: ^7.0.173
  ai5: npm:ai@^5.0.277
  old-langchain: npm:langchain@1.0.6

overrides:
  "langchain@1.0.6>@langchain/langgraph": 1.0.7
  "langchain@1.5.14>@langchain/langgraph": 1.4.14
`;

test("a framework's packages are read from the catalog, without its older majors", () => {
  const { langchain = /$^/, "ai-sdk": aiSdk = /$^/ } = FRAMEWORKS;
  expect(peersIn(WORKSPACE, langchain)).toEqual([
    "@langchain/core",
    "@langchain/langgraph",
    "langchain",
  ]);
  expect(peersIn(WORKSPACE, aiSdk)).toEqual(["ai"]);
});

test("only the framework's versions change, and nothing holds them to today's", () => {
  const versions = new Map([
    ["@langchain/core", "1.4.0"],
    ["@langchain/langgraph", "1.7.3"],
    ["langchain", "1.5.15"],
  ]);
  expect(withVersions(WORKSPACE, versions)).toBe(
    WORKSPACE.replace('core": 1.2.13', 'core": 1.4.0')
      .replace('langgraph": 1.4.14\n  langchain: 1.5.14', 'langgraph": 1.7.3\n  langchain: 1.5.15')
      .replace('  "langchain@1.5.14>@langchain/langgraph": 1.4.14\n', ""),
  );
});

test("every adapter's framework is in this repository's catalog", () => {
  const workspace = readFileSync(resolve(import.meta.dirname, "../../pnpm-workspace.yaml"), "utf8");
  for (const framework of Object.values(FRAMEWORKS)) {
    expect(peersIn(workspace, framework)).not.toEqual([]);
  }
});
