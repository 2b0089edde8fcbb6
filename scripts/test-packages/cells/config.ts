import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "../place.ts";
import type { Form } from "../program.ts";
import { runProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { runProcess } from "../run-process.ts";

const FILE = ".agent/config.yml";

/** A folder with this configuration; folders above it add nothing. */
function folderWith(text: string, name: string, place: Place): string {
  const folder = join(place.folder, name);
  mkdirSync(join(folder, ".agent"), { recursive: true });
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, FILE), text);
  return folder;
}

async function runReadme(form: Form, place: Place): Promise<void> {
  const readme = readmeOf("config", place);
  const program = {
    source: readme.fence("ts"),
    replaced: {},
    after: `const { maxAttempts, reportAdvisories } = contract.settings;
console.log(JSON.stringify([maxAttempts, options.unknownFields, reportAdvisories]));`,
  };
  const folder = folderWith(readme.fence("yaml"), "good", place);
  const printed = await runProgram(program, form, place, folder);
  assert.deepEqual(JSON.parse(printed.trim().split("\n").at(-1) ?? ""), [5, "warn", true]);
}

async function check(text: string, code: number, name: string, place: Place): Promise<string> {
  const cwd = folderWith(text, name, place);
  const command = join(place.folder, "node_modules/.bin/toolcontract");
  const args = ["config", "check"];
  // Both streams: the README does not say which one faults go to.
  const shell = ["-c", '"$0" "$@" 2>&1', command, ...args];
  return runProcess({ command: "sh", args: shell, cwd, node: place.node, code });
}

/** The README's program, file and faults, and the command line. */
export function configCells(): readonly Cell[] {
  return [
    { name: "README, esm", run: (place) => runReadme("esm", place) },
    { name: "README, cjs", run: (place) => runReadme("cjs", place) },
    {
      name: "`toolcontract config check` of the README's file ends with 0",
      run: async (place) => {
        await check(readmeOf("config", place).fence("yaml"), 0, "good", place);
      },
    },
    {
      name: "`toolcontract config check` of the README's wrong file ends with 4",
      run: async (place) => {
        const readme = readmeOf("config", place);
        const printed = await check(readme.match(/^`(tools: .*)`:$/m), 4, "wrong", place);
        assert.ok(printed.includes(readme.fence("txt")), printed);
      },
    },
  ];
}
