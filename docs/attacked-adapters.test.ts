import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool as langchainTool } from "@langchain/core/tools";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { MemorySaver } from "@langchain/langgraph";
import type { toolContractMiddleware } from "@toolcontract/langchain";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createAgent } from "langchain";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { writePrograms } from "./fences.ts";
import { pagePrograms } from "./programs.ts";
import { runProgram } from "./run-program.ts";

/** What a model may send as an amount, as JSON; absent if undefined. Some of it is not JSON. */
const WRONG = [
  "-1000",
  "-1",
  "NaN",
  "1e999",
  "null",
  '"constructor"',
  '"NaN"',
  "{}",
  "[1]",
  undefined,
] as const;

/** The arguments of calls: all that are wrong, and the good one at last. */
function textsOf(name: string, good: number, rest = ""): readonly string[] {
  const wrong = WRONG.map((value) => (value === undefined ? "" : `"${name}": ${value}`));
  return [...wrong, `"${name}": ${good}`].map(
    (member) => `{${[rest, member].filter((part) => part !== "").join(", ")}}`,
  );
}

/** A model of the AI SDK that makes all calls in one message. */
function sdkModel(tool: string, texts: readonly string[]): MockLanguageModelV4 {
  const calls = texts.map((input, index) => ({
    type: "tool-call" as const,
    toolCallId: `call_${index}`,
    toolName: tool,
    input,
  }));
  const spoken = [{ type: "text" as const, text: "done" }];
  const noTokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  let turns = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: (turns += 1) === 1 ? calls : spoken,
      finishReason: { unified: turns === 1 ? "tool-calls" : "stop", raw: undefined },
      usage: { inputTokens: noTokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
      warnings: [],
    }),
  });
}

/** A model of LangChain that makes all calls in one message; a call that is not JSON is one of its own kind, as its clients have it. */
class ChatModel extends BaseChatModel {
  #isFirst = true;
  readonly #message: AIMessage;

  constructor(name: string, texts: readonly string[]) {
    super({});
    const read = texts.map((args, index) => ({ id: `call_${index}`, name, args }));
    const isJson = ({ args }: { readonly args: string }): boolean => {
      try {
        return Boolean(JSON.parse(args));
      } catch {
        return false;
      }
    };
    this.#message = new AIMessage({
      content: "",
      tool_calls: read
        .filter(isJson)
        .map(({ args, ...call }) => ({ ...call, args: JSON.parse(args) as object })),
      invalid_tool_calls: read.filter((call) => !isJson(call)),
    });
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(_: BaseMessage[]) {
    const message = this.#isFirst ? this.#message : new AIMessage("done");
    this.#isFirst = false;
    return { generations: [{ text: message.text, message }] };
  }
}

/** A program of a page, in which what is outside is replaced. */
function programOf(page: string, has: string, replaced: readonly (readonly [string, string])[]) {
  const found = pagePrograms().find(
    ({ name, program }) => name.startsWith(page) && program.includes(has),
  );
  if (found === undefined) throw new Error(`${page} has no sample with ${has}`);
  let { program } = found;
  for (const [from, to] of replaced) {
    if (!program.includes(from)) throw new Error(`${found.name} has no ${from}`);
    program = program.replace(from, to);
  }
  return { ...found, program };
}

const README = "packages/guardrails/README.md";
const ASKING = "docs/asking-a-person.md";
const files = writePrograms("attacked-adapters", [
  programOf(README, "@toolcontract/ai-sdk", [
    ['"anthropic/claude-sonnet-4.5"', "globalThis.attacker"],
  ]),
  programOf(README, "@toolcontract/langchain", [
    ['"anthropic:claude-sonnet-4-5"', "globalThis.attacker"],
  ]),
  programOf(README, "@toolcontract/mcp", [["new StdioServerTransport()", "globalThis.attacker"]]),
  programOf(ASKING, "@toolcontract/ai-sdk", []),
  programOf(ASKING, "@toolcontract/langchain", []),
  programOf(ASKING, "@toolcontract/mcp", []),
]);

function play(attacker: unknown): void {
  (globalThis as { attacker?: unknown }).attacker = attacker;
}

async function load<T>(index: number): Promise<T> {
  return (await import(/* @vite-ignore */ pathToFileURL(files[index] ?? "").href)) as T;
}

type Middleware = ReturnType<typeof toolContractMiddleware>[];

/** A client whose server a sample has guarded. */
async function callAll(client: Client, tool: string, texts: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (const text of texts) {
    let args: Record<string, unknown>;
    try {
      args = JSON.parse(text) as Record<string, unknown>;
    } catch {
      // A client cannot send it.
      continue;
    }
    // Infinity is not a number of the protocol, which answers with an error of its own.
    const answer = await client.callTool({ name: tool, arguments: args }).catch(() => undefined);
    answers.push((answer?.content as readonly { readonly text: string }[])?.[0]?.text ?? "");
  }
  return answers;
}

const item = '"item": "desk"';

test.each([
  ["the AI SDK", 0, () => sdkModel("buy", textsOf("price", 30, item))],
  ["LangChain", 1, () => new ChatModel("buy", textsOf("price", 30, item))],
])("the budget in the sample of %s counts the good call alone", async (_, index, attacker) => {
  play(attacker());
  expect(await runProgram(files[index] ?? "")).toBe("done 30");
});

test("the limit in the sample of MCP counts the good calls alone", async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  play(theirs);
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await load(2);
  const client = new Client({ name: "attacker", version: "1.0.0" });
  await client.connect(ours);
  // All of the limit, in two calls: whatever else had run would have used it, or had given more.
  const answers = await callAll(client, "buy", [
    ...textsOf("price", 60, item),
    ...textsOf("price", 40, item),
    ...textsOf("price", 1, item),
  ]);
  await client.close();
  error.mockRestore();
  expect(answers.filter((answer) => answer.startsWith("bought"))).toHaveLength(2);
  expect(answers.at(-1)).toContain("limit 'budget'");
});

test("what a person must agree to in the sample of the AI SDK does not run, and nothing invalid does", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { guarded } = await load<{ readonly guarded: object }>(3);
  const texts = [...textsOf("amount", 50), '{"amount": 500}'];
  const { steps } = await generateText({
    model: sdkModel("pay", texts),
    prompt: "pay",
    stopWhen: stepCountIs(2),
    ...guarded,
  });
  error.mockRestore();
  const results = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  expect(results).toEqual(["paid 50"]);
});

test("nor in the sample of LangChain, whose tool has the same schema", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { middleware } = await load<{ readonly middleware: Middleware }>(4);
  const paid: number[] = [];
  const pay = langchainTool(({ amount }: { amount: number }) => `paid ${paid.push(amount)}`, {
    name: "pay",
    schema: z.object({ amount: z.number().positive() }),
  });
  const model = new ChatModel("pay", [...textsOf("amount", 50), '{"amount": 500}']);
  const agent = createAgent({ model, tools: [pay], middleware, checkpointer: new MemorySaver() });
  await agent.invoke({ messages: "pay" }, { configurable: { thread_id: "thread-7" } });
  error.mockRestore();
  expect(paid).toEqual([50]);
});

test("nor in the sample of MCP", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { guard } = await load<{ readonly guard: (server: unknown) => McpServer["server"] }>(5);
  const paid: number[] = [];
  const mcp = new McpServer({ name: "bank", version: "1.0.0" });
  const inputSchema = { amount: z.number().positive() };
  mcp.registerTool("pay", { inputSchema }, ({ amount }) => {
    paid.push(amount);
    return { content: [{ type: "text", text: "paid" }] };
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "attacker", version: "1.0.0" });
  await Promise.all([guard(mcp.server).connect(theirs), client.connect(ours)]);
  await callAll(client, "pay", [...textsOf("amount", 50), '{"amount": 500}']);
  await client.close();
  error.mockRestore();
  expect(paid).toEqual([50]);
});
