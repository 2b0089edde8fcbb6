import assert from "node:assert/strict";
import type { Place } from "../place.ts";
import { type Form, NEVER_END, runProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";

/** A scripted model: the README's call, the corrected one, then an answer. */
function scripted(args: string): string {
  return `
const script = [${args}, { from: "LIS", seats: 2 }];
const seen: string[] = [];
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const model = {
  specificationVersion: "v2", provider: "scripted", modelId: "scripted", supportedUrls: {},
  async doGenerate({ prompt }: any) {
    const last = prompt.at(-1);
    if (last.role === "tool") seen.push(last.content.at(-1).output.value);
    const args = script.shift();
    const content = args
      ? [{ type: "tool-call", toolCallId: "call_" + script.length, toolName: "book", input: JSON.stringify(args) }]
      : [{ type: "text", text: "Done." }];
    return { content, finishReason: args ? "tool-calls" : "stop", usage, warnings: [] };
  },
  async doStream() { throw new Error("not streamed"); },
};`;
}

async function runAgent(form: Form, place: Place, neverEnds: boolean): Promise<void> {
  const readme = readmeOf("mastra", place);
  const program = {
    source: readme.fence("ts"),
    replaced: { 'model: "openai/gpt-5"': "model: model as any" },
    before: scripted(readme.match(/^For `([^`]+)`/m)),
    after: `console.log(JSON.stringify(seen));${neverEnds ? "process.exit();" : ""}`,
  };
  const [said, read = ""] = (await runProgram(program, form, place)).split("\n");
  assert.equal(said, "Done.");
  assert.deepEqual(JSON.parse(read), [readme.fence("txt"), "2 seats from LIS"]);
}

/** The program of the README, with a scripted model. */
export function mastraCells(version: string): readonly Cell[] {
  const neverEnds = NEVER_END.includes(`@mastra/core@${version}`);
  return (["esm", "cjs"] satisfies Form[]).map((form) => ({
    name: `the README's agent, ${form}`,
    run: (place) => runAgent(form, place, neverEnds),
  }));
}
