import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Place } from "../place.ts";
import type { Cell } from "../project.ts";
import { runProcess } from "../run-process.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/example-adapter");
/** The adapter of docs/writing-an-adapter.md, its harness, and its tests in `node:test`. */
const FILES = [
  "mini-framework",
  "turns-from-messages",
  "with-contract",
  "harness",
  "conformance.node-test",
  "store.node-test",
];

/** A loop that asks the model once and answers nothing. */
const AGENT = `
const { KIT_BASE_URL, KIT_PROMPT } = process.env;
const messages = [{ role: "user", content: KIT_PROMPT }];
const body = JSON.stringify({ model: "any", messages });
await fetch(KIT_BASE_URL + "/chat/completions", { method: "POST", body });`;

/** The page's adapter is built and passes the table in an empty folder; the command grades a program there. */
export function conformanceCells(): readonly Cell[] {
  return [
    {
      name: "the page's adapter passes the table",
      async run(place) {
        const tests = buildExample(place).filter((path) => path.endsWith(".node-test.mjs"));
        const args = ["--test", "--test-reporter=spec", ...tests];
        const printed = await runProcess({
          command: place.node,
          args,
          cwd: place.folder,
          seconds: 180,
        });
        assert.match(printed, /ℹ fail 0/);
        assert.ok(Number(/ℹ pass (\d+)/.exec(printed)?.[1]) > 220, printed.slice(-500));
      },
    },
    {
      name: "the command grades a program",
      async run({ folder, node }) {
        writeFileSync(join(folder, "agent.mjs"), AGENT);
        const bin = join(folder, "node_modules/.bin/toolcontract-conformance");
        const list = await runProcess({ command: bin, args: ["list"], cwd: folder, node });
        assert.match(list, /^one-of-three: /m);
        const args = ["--command", "node agent.mjs", "--scenario", "one-of-three"];
        const printed = await runProcess({ command: bin, args, cwd: folder, node, code: 1 });
        assert.match(printed, /L1 survives: \d+ of \d+/);
      },
    },
  ];
}

/** Compiles the example's files into the project, where imports of each other name what was written. */
function buildExample({ folder }: Place): readonly string[] {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  return FILES.map((name) => {
    const source = readFileSync(join(EXAMPLE, `${name}.ts`), "utf8");
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    const path = `${name}.mjs`;
    writeFileSync(join(folder, path), outputText.replaceAll(/(from "\.\/[^"]+)\.ts"/g, '$1.mjs"'));
    return path;
  });
}
