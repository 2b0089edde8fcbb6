import { globSync } from "node:fs";
import { resolve } from "node:path";
import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import {
  badCallOfReadme,
  excerptsOf,
  pagePaths,
  programsApart,
  readPage,
  writePrograms,
} from "./fences.ts";
import { pagePrograms } from "./programs.ts";
import { runProgram } from "./run-program.ts";

const ROOT = resolve(import.meta.dirname, "..");
const examples = pagePrograms();
const sources = globSync("{packages,internal,apps,bench,docs,scripts}/**/*.ts", {
  cwd: ROOT,
  exclude: (path) => path.includes("node_modules"),
});
// `scripts/gates/types.ts` compiles them, and the examples on hover.
const files = writePrograms("examples", examples);

test("programs print what their pages show", async () => {
  for (const [index, { name, output }] of examples.entries()) {
    // errors.test.ts runs the pages of the error codes.
    if (output === undefined || name.startsWith("docs/errors/")) continue;
    expect(`${name}\n${await runProgram(files[index] ?? "")}`).toBe(`${name}\n${output}`);
  }
});

test("a program with a commit guardrail does not start without its effects", async () => {
  const bare = examples
    .filter(({ program }) => program.includes('stage: "commit"'))
    .map((one) => ({ ...one, program: one.program.replace(/^ *effects: .*\n/m, "") }));
  const hosts = ["core", "ai-sdk", "langchain"];
  for (const host of hosts) {
    const isThere = bare.some(({ program }) => program.includes(`@toolcontract/${host}"`));
    expect([host, isThere]).toEqual([host, true]);
  }
  for (const file of writePrograms("without-effects", bare)) {
    await expect(runProgram(file)).rejects.toThrow(/ runs at commit for every tool, and no effect/);
  }
});

test("excerpts are in their files", () => {
  const excerpts = pagePaths().flatMap(excerptsOf);
  expect(excerpts.length).toBeGreaterThan(1);
  expect(excerpts.filter(({ file, text }) => !readPage(file).includes(text))).toEqual([]);
});

describe("programs of frameworks", () => {
  const graded = sources.filter((path) => path.startsWith("internal/graded/"));
  const shared = graded.flatMap((path) =>
    [...readPage(path).matchAll(/^\/\/ As on (\S+):\n\n([^]*?)\n\n\/\/ Until here\.$/gm)].map(
      ([, page = "", code = ""]) => ({ page, code }),
    ),
  );
  const bare = (code: string): string => code.replaceAll(/^export /gm, "");

  test("what the kit grades is what the pages show", () => {
    expect(shared.length).toBeGreaterThan(7);
    const missing = shared.filter(({ page, code }) => !bare(readPage(page)).includes(bare(code)));
    expect(missing).toEqual([]);
  });

  test("programs that only the report can run are whole: imports, and nothing of the kit", () => {
    expect(programsApart()).toHaveLength(7);
    for (const { name, program } of programsApart()) {
      const [page = ""] = name.split(" ");
      const installed = /^npm install (.*)$/m.exec(readPage(page))?.[1]?.split(" ") ?? [];
      const imported = [...program.matchAll(/ from "((?:@[\w-]+\/)?[\w-]+)/g)].map(
        ([, one]) => one,
      );
      const transitive = ["@google/genai"];
      const names = installed.map((one) => one.replace(/(?<=.)@\d.*$/, ""));
      expect([
        name,
        imported.filter((one) => ![...names, ...transitive].includes(one ?? "")),
      ]).toEqual([name, []]);
      expect(`${name}: ${program}`).not.toMatch(/\bgraded\b|\bkit\b/i);
    }
  });
});

test("the answer in the README is the contract's answer to the call in the README", async () => {
  const { call, contract: answer } = badCallOfReadme();
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
  const sent = { id: "call_1", name: tool.name, arguments: call };
  const admission = await contract.admit(sent, { tool, conversationId: "readme" });
  expect(admission).toMatchObject({ status: "rejected", result: { content: answer } });
});

test("the numbers in the README are those of the benchmarks", () => {
  const { results } = JSON.parse(readPage("docs/benchmarks/recovery.json")) as {
    readonly results: readonly {
      readonly system: string;
      readonly schema: string;
      readonly figures: Readonly<Record<string, number>> & { readonly repaired: number[] };
    }[];
  };
  const of = (system: string, schema = "zod") =>
    results.find((one) => one.system === system && one.schema === schema)?.figures;
  const percent = (share = Number.NaN): string => `${Math.round(share * 100)} %`;
  const ours = of("Toolcontract standard, core");
  const json = "json-schema";
  const mcp = "MCP SDK v2 McpServer";
  const leaked = ["AI SDK 7", "LangChain createAgent", "Mastra"].map(
    (system) =>
      `${of(system)?.["secretsLeaked"]} ${system.split(" ").slice(0, -1).join(" ") || system}`,
  );
  const cells = [
    [percent(of("AI SDK 7", json)?.["ranInvalid"]), percent(ours?.["ranInvalid"])],
    [
      `${percent(of(mcp, json)?.["explained"])} JSON Schema, ${percent(of(mcp)?.["explained"])} zod`,
      percent(ours?.["explained"]),
    ],
    [percent(of("LangChain createAgent")?.repaired[0]), percent(ours?.repaired[0])],
    [percent(of("AI SDK 7")?.repaired[0]), percent(ours?.repaired[0])],
    [leaked.join(", "), String(ours?.["secretsLeaked"])],
  ];
  const shown = readPage("README.md").matchAll(/^\| (?:invalid|faults|calls|secrets) .*\|$/gm);
  const table = [...shown].map(([line]) =>
    line
      .split("|")
      .slice(2, 4)
      .map((cell) => cell.trim()),
  );
  expect(table).toEqual(cells);
});

test("the shares of models' own calls in the README are those of the benchmarks", () => {
  const { answered, systems } = JSON.parse(readPage("docs/benchmarks/real.json")) as {
    readonly answered: number;
    readonly systems: readonly { readonly system: string; readonly validAfter: number[] }[];
  };
  const after = (name: string, round: number): string => {
    const found = systems.find(({ system }) => system === name)?.validAfter[round];
    return `${((100 * (found ?? Number.NaN)) / answered).toFixed(1)} %`;
  };
  const [ours, sdk] = ["Toolcontract standard, core", "AI SDK 7"];
  const readme = readPage("README.md").replaceAll("\n", " ");
  expect(readme).toContain(`On ${answered} calls that real models got wrong`);
  expect(readme).toContain(`${after(sdk, 0)} to ${after(ours, 0)}`);
  expect(readme).toContain(`${after(sdk, 1)} to ${after(ours, 1)}`);
});

describe.each(pagePaths())("%s", (path) => {
  const page = readPage(path);

  test("names only files that exist", () => {
    const named = [...page.matchAll(/[\w-][\w/-]*\.(?:(?:test|worker)\.)?ts\b/g)].map(
      ([name]) => name,
    );
    const isThere = (name: string): boolean =>
      sources.some((source) => `/${source}`.endsWith(`/${name}`));
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });
});
