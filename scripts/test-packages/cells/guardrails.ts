import assert from "node:assert/strict";
import type { Place } from "../place.ts";
import { changedProgram, type Form, runProgram, writeProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { callTools } from "./call-tools.ts";

/** What a model of each framework sends: an item that is too dear, then one that is not. */
const CALLS = '[{ item: "desk", price: 140 }, { item: "chair", price: 60 }]';

const READ = `Guardrail failed for tool 'buy' (attempt 1/3):

Errors:
• (arguments) (GRD-002): over the budget of 100

All its state changes were undone.
Correct these and call 'buy' again with all arguments.`;

const READ_OF_LIMIT = `Guardrail failed for tool 'buy' (attempt 1/3):

Errors:
• (arguments) (GRD-008): limit 'budget' allows 100, and 100 are left
  Hint: stay within 100

Correct these and call 'buy' again with all arguments.`;

async function runOwnLoop(form: Form, place: Place): Promise<void> {
  const readme = readmeOf("guardrails", place);
  const printed = await runProgram({ source: readme.fence("ts"), replaced: {} }, form, place);
  assert.equal(printed.trimEnd(), readme.fence("text"));
}

const SDK_MODEL = `
const script = ${CALLS};
const answer = (reason, content) => ({
  content: [content], warnings: [], finishReason: { unified: reason, raw: reason },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
});
const model = new MockLanguageModelV4({
  doGenerate: async () => {
    const input = script.shift();
    if (input === undefined) return answer("stop", { type: "text", text: "Done." });
    const call = { type: "tool-call", toolCallId: "call_" + script.length, toolName: "buy" };
    return answer("tool-calls", { ...call, input: JSON.stringify(input) });
  },
});`;

async function runSdk(form: Form, place: Place): Promise<void> {
  const printed = await runProgram(
    {
      source: readmeOf("guardrails", place).fence("ts", 1),
      replaced: { 'const model = "anthropic/claude-sonnet-4.5";': SDK_MODEL },
      before: 'import { MockLanguageModelV4 } from "ai/test";',
      after: `const results = model.doGenerateCalls.at(-1).prompt.filter(({ role }) => role === "tool");
console.log(JSON.stringify(results.flatMap(({ content }) => content).map(({ output }) => output.value)));`,
    },
    form,
    place,
  );
  const [said, read = ""] = printed.split("\n");
  assert.equal(said, "Done. 60");
  assert.deepEqual(JSON.parse(read), [READ, "bought chair"]);
}

const CHAT_MODEL = `
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
const script = ${CALLS};
const seen = [];
class ScriptedModel extends BaseChatModel {
  _llmType() { return "scripted"; }
  bindTools() { return this; }
  async _generate(messages) {
    if (messages.at(-1).type === "tool") seen.push(messages.at(-1).content);
    const args = script.shift();
    const calls = args ? [{ type: "tool_call", id: "call_" + script.length, name: "buy", args }] : [];
    const message = new AIMessage({ content: args ? "" : "Done.", tool_calls: calls });
    return { generations: [{ text: message.text, message }] };
  }
}`;

async function runAgent(form: Form, place: Place): Promise<void> {
  const program = {
    source: readmeOf("guardrails", place).fence("ts", 2),
    replaced: { '"anthropic:claude-sonnet-4-5"': "new ScriptedModel({})" },
    before: CHAT_MODEL,
    after: "console.log(JSON.stringify(seen));",
  };
  const [said, read = ""] = (await runProgram(program, form, place)).split("\n");
  assert.equal(said, "Done. 60");
  assert.deepEqual(JSON.parse(read), [READ, "bought chair"]);
}

async function serve(form: Form, place: Place): Promise<void> {
  const source = readmeOf("guardrails", place).fence("ts", 3);
  const program = changedProgram({ source, replaced: {} });
  const started = [place.node, writeProgram(program, form, "server", place)];
  const answers = await callTools(place, started, [
    ["buy", { item: "desk", price: 140 }],
    ["buy", { item: "chair", price: 60 }],
  ]);
  assert.deepEqual(answers, [
    { isError: true, text: READ_OF_LIMIT },
    { isError: false, text: "bought chair" },
  ]);
}

/** The programs of the README, one for each host, with scripted models. */
export function guardrailsCells(): readonly Cell[] {
  const hosts = { "own loop": runOwnLoop, "AI SDK": runSdk, LangChain: runAgent, MCP: serve };
  return (["esm", "cjs"] satisfies Form[]).flatMap((form) =>
    Object.entries(hosts).map(([host, run]): Cell => ({
      name: `README with ${host}, ${form}`,
      run: (place) => run(form, place),
    })),
  );
}
