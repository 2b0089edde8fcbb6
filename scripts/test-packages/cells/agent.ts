import assert from "node:assert/strict";
import { join } from "node:path";
import type { Place } from "../place.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { runProcess } from "../run-process.ts";

async function runAgent(args: readonly string[], code: number, place: Place): Promise<string> {
  const { folder: cwd, node } = place;
  const command = join(cwd, "node_modules/.bin/toolcontract-agent");
  return runProcess({ command, args, cwd, node, code });
}

/** The README's first command and what it prints, and the exit codes of a folder without a configuration. */
export function agentCells(): readonly Cell[] {
  return [
    {
      name: "README",
      run: async (place) => {
        const readme = readmeOf("agent", place);
        const prompt = readme.match(/^npx @toolcontract\/agent --provider scripted "(.*)"$/m);
        const printed = await runAgent(["--provider", "scripted", prompt], 0, place);
        assert.equal(printed.trimEnd(), readme.fence("markdown"));
      },
    },
    {
      name: "without a model ends with 4, and a result",
      run: async (place) => {
        const printed = await runAgent(["--output", "json", "Hi"], 4, place);
        const { success, error } = JSON.parse(printed) as { success: boolean; error: string };
        assert.equal(success, false);
        assert.match(error, /^No model is configured/);
      },
    },
  ];
}
