import assert from "node:assert/strict";
import type { Form } from "../program.ts";
import { runProgram } from "../program.ts";
import type { Place } from "../place.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";

/** A scripted model: the README's call, the corrected one, then an answer. */
function scripted(args: string): string {
  return `
const script = [${args}, { from: "LIS", seats: 2 }];
const seen: string[] = [];
const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2, inputTokensDetails: [], outputTokensDetails: [] };
const model = {
  async getResponse({ input }: any) {
    if (input.at(-1).type === "function_call_result") seen.push(input.at(-1).output.text ?? input.at(-1).output);
    const args = script.shift();
    const output = args
      ? [{ type: "function_call", callId: "call_" + script.length, name: "book", status: "completed", arguments: JSON.stringify(args) }]
      : [{ type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: "Done." }] }];
    return { usage: { ...usage, add() {} }, output };
  },
};`;
}

async function runAgent(form: Form, place: Place): Promise<void> {
  const readme = readmeOf("openai-agents", place);
  const program = {
    source: readme.fence("ts"),
    replaced: { 'name: "travel",': 'name: "travel", model: model as any,' },
    before: scripted(readme.match(/^For `([^`]+)`/m)),
    after: "console.log(JSON.stringify(seen));",
  };
  const [said, read = ""] = (await runProgram(program, form, place)).split("\n");
  assert.equal(said, "Done.");
  assert.deepEqual(JSON.parse(read), [readme.fence("txt"), "2 seats from LIS"]);
}

/** The program of the README, with a scripted model. */
export function openaiAgentsCells(): readonly Cell[] {
  return (["esm", "cjs"] satisfies Form[]).map((form) => ({
    name: `the README's agent, ${form}`,
    run: (place) => runAgent(form, place),
  }));
}
