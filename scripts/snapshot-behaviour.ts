// Records every text, log line, event, span and counter of the conformance run and of the demo, or compares two recordings.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { FOLDER_VARIABLE } from "@toolcontract/case-table/recording";
import { compareRecordings, renderDifference } from "./behaviour/compare.ts";
import { openFolder, readRecording, RUN_FILE, whyNotCompare } from "./behaviour/folders.ts";
import { runCommand } from "./gates/run.ts";

const ROOT = resolve(import.meta.dirname, "..");
const USAGE = `pnpm snapshot:behaviour FOLDER         record into a new folder outside of the repository
pnpm snapshot:behaviour --compare A B  print what differs between two recordings

The exit code is 0 if all went well or nothing differs, 1 if a test failed or something differs, 2 for a misuse.`;
const MOST_SHOWN = 40;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const given = readArguments(args[0] === "--" ? args.slice(1) : args);
  if (typeof given === "string") return misuse(given);
  const { compares, folders } = given;
  const [folder = "", other] = folders.map((path) => resolve(path));
  if (compares) {
    if (folders.length !== 2 || other === undefined) return misuse("--compare takes two folders.");
    if (folder === other) return misuse("Both folders are the same.");
    const fault = whyNotCompare(folder) ?? whyNotCompare(other);
    return fault === undefined ? compare(folder, other) : misuse(fault);
  }
  if (folders.length !== 1) return misuse("Name one folder to record into.");
  const fault = openFolder(folder, ROOT);
  return fault === undefined ? record(folder) : misuse(fault);
}

function readArguments(
  args: readonly string[],
): { readonly compares: boolean; readonly folders: readonly string[] } | string {
  try {
    const options = { compare: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    return { compares: values.compare, folders: positionals };
  } catch (error) {
    return (error as Error).message;
  }
}

function misuse(fault: string): number {
  console.error(`${fault}\n\n${USAGE}`);
  return 2;
}

/** A test that fails still leaves what it made visible: it is what differs that one wants to see. */
async function record(folder: string): Promise<number> {
  const options = { cwd: ROOT, env: { [FOLDER_VARIABLE]: folder, TEST_WHOLE: "1" } };
  const files = globSync("{packages/*/src,docs}/**/*.test.ts", { cwd: ROOT }).filter((file) =>
    /\bdescribe(?:Adapter|Sessions)\(/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  const tests = await runCommand(`vitest run ${files.join(" ")}`, options);
  const demo = await runCommand("node apps/demo/src/main.ts --json", {
    ...options,
    keepsOutput: true,
  });
  if (!demo.ok) console.error(demo.output);
  const ends = { conformance: endOf(tests.ok), demo: endOf(demo.ok), node: process.version };
  const recorded = [...readRecording(folder).values()];
  const lines = recorded.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  writeFileSync(join(folder, RUN_FILE), `${JSON.stringify({ case: "the run", text: ends })}\n`);
  console.log(`${lines} lines in ${recorded.length} files in ${folder}`);
  if (tests.ok && demo.ok) return 0;
  console.error("Something failed; what it made visible is recorded all the same.");
  return 1;
}

function endOf(ok: boolean): string {
  return ok ? "passed" : "failed";
}

function compare(before: string, after: string): number {
  const differences = compareRecordings(readRecording(before), readRecording(after));
  for (const difference of differences.slice(0, MOST_SHOWN)) {
    console.log(`${renderDifference(difference)}\n`);
  }
  if (differences.length > MOST_SHOWN) console.log(`The first ${MOST_SHOWN} are shown.`);
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  const count = `${differences.length} differences, of these kinds: ${kinds.join(", ")}.`;
  console.log(differences.length === 0 ? "Nothing differs." : count);
  return differences.length === 0 ? 0 : 1;
}
