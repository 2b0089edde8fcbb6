import { Agent as MastraAgent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { Agent, type Model, Runner, tool } from "@openai/agents";
import { withContract as guardConfig } from "@toolcontract/mastra";
import { withContract as guardAgent } from "@toolcontract/openai-agents";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";

const MOST_CALLS = 10;
const MOST_TRIED = 30;

/** Measures what the contract adds to a call in the loops of the OpenAI Agents SDK and of Mastra. */
export const agentsOverhead: Benchmark = {
  name: "agents-overhead",
  about:
    "an agent of the OpenAI Agents SDK and one of Mastra with a scripted model, a call and then a word, with and without the contract",
  async run(setting) {
    const races = setting.corpora.flatMap((corpus) =>
      FRAMEWORKS.map((framework) => ({ corpus, framework })),
    );
    return onEach(races, async (entry) => measure(entry, setting));
  },
};

/** Runs a conversation of two turns, in which the tool runs. */
type Run = () => Promise<unknown>;

interface Framework {
  readonly name: string;
  readonly agentOf: (call: CorpusCall, isGuarded: boolean) => Run;
}

interface Entry {
  readonly corpus: Corpus;
  readonly framework: Framework;
}

async function measure({ corpus, framework }: Entry, { length }: Setting): Promise<Table> {
  const agreed: CorpusCall[] = [];
  for (const call of thinOut(corpus.calls, MOST_TRIED)) {
    // Keep the calls that the framework's own check agrees about, so that both sides do the same.
    if (await framework.agentOf(call, false)().then(isFine, isFaulty)) agreed.push(call);
  }
  const calls = thinOut(agreed, MOST_CALLS);
  const contestants = [false, true].map((isGuarded) => {
    const runs = calls.map((call) => framework.agentOf(call, isGuarded));
    return {
      name: isGuarded ? `${framework.name} with the contract` : framework.name,
      async run() {
        for (const run of runs) await run();
      },
    };
  });
  return {
    title: `${corpus.name} (${calls.length} valid calls, ${framework.name})`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}

const isFine = (): boolean => true;
const isFaulty = (): boolean => false;
const quiet = { logger: () => undefined };

/** Makes a tool that must have run once after each conversation. */
function counting(run: () => Promise<unknown>, ran: { count: number }): Run {
  return async () => {
    ran.count = 0;
    await run();
    if (ran.count !== 1) throw new Error("A call went wrong.");
  };
}

function openaiAgentOf({ tool: declared, text }: CorpusCall, isGuarded: boolean): Run {
  const ran = { count: 0 };
  const own = tool({
    name: declared.name,
    description: "A tool.",
    strict: false,
    parameters: { additionalProperties: true, ...(declared.inputSchema as object) } as never,
    execute: () => {
      ran.count += 1;
      return "ok";
    },
  });
  const plain = new Agent({ name: "bench", model: openaiModel(own.name, text), tools: [own] });
  const runConfig = { tracingDisabled: true };
  const { agent, runner } = isGuarded
    ? guardAgent(plain, { ...quiet, runConfig })
    : { agent: plain, runner: new Runner(runConfig) };
  return counting(async () => runner.run(agent, "Go"), ran);
}

/** Calls the tool in every other turn. */
function openaiModel(name: string, text: string): Model {
  let turn = 0;
  return {
    async getResponse() {
      turn += 1;
      const call = {
        type: "function_call",
        callId: `call_${turn}`,
        name,
        arguments: text,
      } as const;
      const content = [{ type: "output_text" as const, text: "Done" }];
      const said = { type: "message", role: "assistant", status: "completed", content } as const;
      return { usage: USAGE as never, output: [turn % 2 === 1 ? call : said] };
    },
    getStreamedResponse: () => {
      throw new Error("Nothing is streamed.");
    },
  };
}

const USAGE = {
  requests: 1,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  add: () => undefined,
};

function mastraAgentOf({ tool: declared, text }: CorpusCall, isGuarded: boolean): Run {
  // As it offers the tool.
  const name = declared.name.replaceAll(/[^\w-]/g, "_");
  const ran = { count: 0 };
  const own = createTool({
    id: name,
    description: "A tool.",
    inputSchema: declared.inputSchema as never,
    execute: async () => {
      ran.count += 1;
      return "ok";
    },
  });
  const config: AgentConfig = {
    id: "bench",
    name: "bench",
    instructions: "Go.",
    model: mastraModel(name, text) as never,
    tools: { [name]: own },
  };
  const agent = new MastraAgent(isGuarded ? guardConfig(config, quiet) : config);
  return counting(async () => agent.generate("Go"), ran);
}

/** A model of the AI SDK that calls the tool in every other turn. */
function mastraModel(toolName: string, input: string): object {
  let turn = 0;
  return {
    specificationVersion: "v2",
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate() {
      turn += 1;
      const isCall = turn % 2 === 1;
      const call = { type: "tool-call", toolCallId: `call_${turn}`, toolName, input };
      return {
        content: [isCall ? call : { type: "text", text: "Done" }],
        finishReason: isCall ? "tool-calls" : "stop",
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      };
    },
  };
}

const FRAMEWORKS: readonly Framework[] = [
  { name: "OpenAI Agents", agentOf: openaiAgentOf },
  { name: "Mastra", agentOf: mastraAgentOf },
];
