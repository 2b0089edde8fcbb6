import assert from "node:assert/strict";
import { runProgram } from "../program.ts";
import type { Cell } from "../projects.ts";
import { readmeOf } from "../readme.ts";

const MODEL = 'const model = "anthropic/claude-sonnet-4.5";';
const MOCKS = { 5: "MockLanguageModelV2", 6: "MockLanguageModelV3", 7: "MockLanguageModelV4" };

const OLD_FACTS = `finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }`;
const FACTS = `finishReason: { unified: reason, raw: reason },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }`;

/** The SDK's own mock model: the README's call, the corrected one, then an answer. */
function scripted(version: 5 | 6 | 7, input: string): string {
  return `
const script = [${JSON.stringify(input)}, '{"from":"LIS","seats":2}'];
const answer = (reason: string, content: unknown) => ({
  content: [content], warnings: [], ${version === 5 ? OLD_FACTS : FACTS},
});
const model = new Mock({
  doGenerate: async () => {
    const input = script.shift();
    if (input === undefined) return answer("stop", { type: "text", text: "Done." });
    const call = { type: "tool-call", toolCallId: "call_" + script.length, toolName: "book", input };
    return answer("tool-calls", call);
  },
});`;
}

const SEEN = `
const { prompt } = model.doGenerateCalls.at(-1);
const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
console.log(JSON.stringify(results.map(({ output }) => [output.type, output.value])));`;

/** The README's program, with the SDK's own mock model. */
export function aiSdkCells(version: 5 | 6 | 7): readonly Cell[] {
  const run: Cell["run"] = async (place) => {
    const readme = readmeOf("ai-sdk", place);
    const program = {
      source: readme.fence("ts"),
      replaced: { [MODEL]: scripted(version, readme.match(/^For `([^`]+)`/m)) },
      before: `import { ${MOCKS[version]} as Mock } from "ai/test";`,
      after: SEEN,
    };
    const [said, read = ""] = (await runProgram(program, "esm", place)).split("\n");
    assert.equal(said, "Done. []");
    assert.deepEqual(JSON.parse(read), [
      ["error-text", readme.fence("txt")],
      ["text", "2 seats from LIS"],
    ]);
  };
  return [{ name: "README, esm", run }];
}
