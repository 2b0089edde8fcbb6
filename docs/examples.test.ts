import { existsSync, globSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createContract } from "@toolcontract/core";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import {
  examplesOf,
  fencesOf,
  fromRoot,
  pagePaths,
  readPage,
  runProgram,
  writePrograms,
} from "./fences.ts";

const ROOT = resolve(import.meta.dirname, "..");
const examples = pagePaths().flatMap(examplesOf);
const sources = globSync("{packages,internal,apps,bench,docs,scripts}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => path.includes("node_modules"),
});
const files = writePrograms("examples", examples);

/** What the compiler has against the programs, with the repository's own settings. */
function complaints(): readonly string[] {
  const config = resolve(ROOT, "tsconfig.json");
  const read = ts.readConfigFile(config, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(config));
  const program = ts.createProgram({ rootNames: files, options });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? ts.getLineAndCharacterOfPosition(file, start).line + 1 : 0;
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    return `${fromRoot(file?.fileName ?? "")}:${line}: ${text}`;
  });
}

test("every program in the documentation compiles", { timeout: 60_000 }, () => {
  expect(files.length).toBeGreaterThan(16);
  expect(complaints()).toEqual([]);
});

test("programs print what their pages say", async () => {
  for (const [index, { name, output }] of examples.entries()) {
    // The pages of the error codes have a test of their own.
    if (output === undefined || name.startsWith("docs/errors/")) continue;
    expect(`${name}\n${await runProgram(files[index] ?? "")}`).toBe(`${name}\n${output}`);
  }
});

test("the answer in the README is the contract's answer to the call in the README", async () => {
  const [call, , answer] = fencesOf(readPage("README.md"));
  const tool = {
    name: "write_file",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        content: { type: "string", maxLength: 1_048_576 },
        encoding: { enum: ["utf-8", "ascii", "utf-16"] },
        mode: { type: "integer", minimum: 0, maximum: 511 },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
  };
  const contract = createContract({ logger: () => undefined });
  const sent = { id: "call_1", name: tool.name, arguments: call?.text };
  const admission = await contract.admit(sent, { tool, conversationId: "readme" });
  expect(admission).toMatchObject({ status: "rejected", result: { content: answer?.text } });
});

describe.each(pagePaths())("%s", (path) => {
  const page = readPage(path);

  test("links only to what is there", () => {
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(resolve(ROOT, dirname(path), link)))).toEqual([]);
  });

  test("names only files that are there", () => {
    const named = [...page.matchAll(/[\w/-]+\.(?:test\.)?ts\b/g)].map(([name]) => name);
    const isThere = (name: string): boolean =>
      sources.some((source) => `/${source}`.endsWith(`/${name}`));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });
});
