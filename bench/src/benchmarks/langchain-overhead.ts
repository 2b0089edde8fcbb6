import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { ChatModelThatCalls } from "@toolcontract/frameworks/langchain";
import { toolContractMiddleware } from "@toolcontract/langchain";
import { createAgent } from "langchain";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { bothSay, zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 10;
const MOST_TRIED = 30;

type SchemaKind = "zod" | "JSON Schema";

/** Measures what the middleware adds to a call in LangChain's own loop. */
export const langchainOverhead: Benchmark = {
  name: "langchain-overhead",
  about:
    "createAgent with a scripted model, a call and then a word, with and without the middleware",
  async run(setting) {
    const races = setting.corpora.flatMap((corpus) => {
      const spoilt = spoilCorpus(corpus);
      return (["zod", "JSON Schema"] as const).flatMap((kind) => [
        { corpus, kind, isValid: true },
        { corpus: spoilt, kind, isValid: false },
      ]);
    });
    return onEach(races, async (entry) => measure(entry, setting));
  },
};

interface Entry {
  readonly corpus: Corpus;
  readonly kind: SchemaKind;
  readonly isValid: boolean;
}

async function measure({ corpus, kind, isValid }: Entry, { length }: Setting): Promise<Table> {
  const fitting = corpus.calls.filter((call) => bothSay(call, isValid));
  const calls: CorpusCall[] = [];
  for (const call of thinOut(fitting, MOST_TRIED)) {
    // Keep the calls that LangChain's own check agrees about, so that both sides do the same.
    if ((await runs(agentFor(call, kind, []))) === isValid) calls.push(call);
  }
  const raced = thinOut(calls, MOST_CALLS);
  const contestants = SIDES.map(({ name, middlewareOf }) => {
    const agents = raced.map((call) => agentFor(call, kind, middlewareOf()));
    return { name, run: async () => runAll(agents, isValid) };
  });
  return {
    title: `${corpus.name} (${raced.length} ${isValid ? "valid" : "invalid"} calls, ${kind})`,
    rows: perCall(await race(contestants, length), raced.length),
  };
}

type Middleware = ReturnType<typeof toolContractMiddleware>;

// LangChain's own cost of any middleware with these hooks.
const passing: Middleware = {
  name: "passing",
  wrapModelCall: async (request, next) => next(request),
  wrapToolCall: async (request, next) => next(request),
};

const SIDES: readonly { readonly name: string; readonly middlewareOf: () => Middleware[] }[] = [
  { name: "createAgent", middlewareOf: () => [] },
  { name: "createAgent with hooks that do nothing", middlewareOf: () => [passing] },
  {
    name: "createAgent with the contract",
    middlewareOf: () => [toolContractMiddleware({ logger: () => undefined })],
  },
];

interface Agent {
  invoke(state: { readonly messages: HumanMessage[] }): Promise<unknown>;
}

function agentFor(call: CorpusCall, kind: SchemaKind, middleware: Middleware[]): Agent {
  const { name, inputSchema } = call.tool;
  const schema: unknown = kind === "zod" ? zodOfTool(call.tool) : inputSchema;
  const settings = { name, description: "A tool.", schema: schema as object };
  // Each overload accepts one kind of schema.
  const made = tool(() => "ok", settings) as StructuredToolInterface;
  return createAgent({ model: new ChatModelThatCalls(call), tools: [made], middleware });
}

async function runAll(agents: readonly Agent[], isValid: boolean): Promise<void> {
  for (const agent of agents) {
    if ((await runs(agent)) !== isValid) throw new Error("A call went wrong.");
  }
}

/** Runs an agent once and returns whether its call ran. */
async function runs(agent: Agent): Promise<boolean> {
  const state = await agent.invoke({ messages: [new HumanMessage("Go")] });
  const { messages } = state as { readonly messages: readonly unknown[] };
  if (messages.length !== 4) throw new Error("Expected a run of two steps.");
  return ToolMessage.isInstance(messages[2]) && messages[2].status !== "error";
}
