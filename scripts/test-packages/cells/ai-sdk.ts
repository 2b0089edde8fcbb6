import assert from "node:assert/strict";
import { type Form, runProgram } from "../program.ts";
import type { Place } from "../place.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { BOOK, BOOKED_ONCE, OPTIONS, runStaged } from "./stage.ts";

const MODEL = 'const model = "anthropic/claude-sonnet-4.5";';
const MOCKS = { 5: "MockLanguageModelV2", 6: "MockLanguageModelV3", 7: "MockLanguageModelV4" };

const OLD_FACTS = `finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }`;
const FACTS = `finishReason: { unified: reason, raw: reason },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }`;

/** The SDK's own mock model: the README's call, the corrected one, then an answer. */
function scripted(version: 5 | 6 | 7, input: string): string {
  return `
const script = [${JSON.stringify(input)}, '${JSON.stringify(BOOK)}'];
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

const ANSWERED = `
import { answerOf } from "@toolcontract/ai-sdk";
console.log(answerOf(result.steps[0]?.toolCalls[0])?.attempt, answerOf(result.toolCalls.at(-1))?.attempt);`;

const SEEN = `const { prompt } = model.doGenerateCalls.at(-1);
const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
console.log(JSON.stringify(results.map(({ output }) => [output.type, output.value])));`;

function staged(version: 5 | 6 | 7): string {
  return `
import { ${MOCKS[version]} as Mock } from "ai/test";
import { generateText, tool } from "ai";
import { withContract } from "@toolcontract/ai-sdk";
import { z } from "zod";
${scripted(version, JSON.stringify(BOOK))}
const book = tool({
  inputSchema: z.object({ from: z.string(), seats: z.number() }),
  execute: async ({ from, seats }) => seats + " seats from " + from,
});
const guarded = withContract({ tools: { book }, ...${OPTIONS} });
await generateText({ model, prompt: "Two seats.", ...guarded });
${SEEN}`;
}

/**
 * The README's program, with the SDK's own mock model, and the documentation's stage. Version 7 of the SDK is ES
 * modules only, and is loaded with `require` all the same.
 */
export function aiSdkCells(version: 5 | 6 | 7): readonly Cell[] {
  const run = async (form: Form, place: Place): Promise<void> => {
    const readme = readmeOf("ai-sdk", place);
    const program = {
      source: readme.fence("ts"),
      replaced: { [MODEL]: scripted(version, readme.match(/^For `([^`]+)`/m)) },
      before: `import { ${MOCKS[version]} as Mock } from "ai/test";`,
      after: ANSWERED + SEEN,
    };
    const [said, answered, read = ""] = (await runProgram(program, form, place)).split("\n");
    assert.equal(said, "Done. []");
    // Versions 5 and 6 list the calls of the last step only, which has none.
    assert.equal(answered, "1 undefined");
    assert.deepEqual(JSON.parse(read), [
      ["error-text", readme.fence("txt")],
      ["text", "2 seats from LIS"],
    ]);
  };
  const runStage: Cell["run"] = async (place) => {
    const read = JSON.parse(await runStaged(staged(version), place)) as readonly unknown[];
    const [ran, refused] = BOOKED_ONCE;
    assert.deepEqual(read, [
      ["text", ran],
      ["error-text", refused],
    ]);
  };
  return [
    ...(["esm", "cjs"] satisfies Form[]).map((form) => ({
      name: `README, ${form}`,
      run: (place: Place) => run(form, place),
    })),
    { name: "a stage", run: runStage },
  ];
}
