import { Agent, type Model, Runner, tool } from "@openai/agents";
import { type Contract, createContract } from "@toolcontract/core";
import { withContract } from "@toolcontract/openai-agents";
import { countTokens } from "../count-tokens.ts";
import { recordAnswers } from "../langchain/recorded-contract.ts";
import type { CallRecord, Scenario, Scene } from "../scenario.ts";
import { argumentsText, createScriptedModel, type ModelTurn } from "../scripted-model.ts";
import { createWatchedContract } from "../watched-contract.ts";
import type { Workspace } from "../workspace.ts";

/** What happened on one side. */
interface AgentSide {
  readonly turns: readonly ModelTurn[];
  /** What the model read, by the id of the call. */
  readonly answers: ReadonlyMap<string, string>;
  /** What the tool ran with. */
  readonly reached: readonly unknown[];
  readonly said: unknown;
  readonly thrown?: Error;
}

/** What happened on both sides. */
export interface AgentsScene extends Scene {
  readonly withContract: AgentSide;
  readonly withoutContract: AgentSide;
}

/** Runs the script in the real SDK three times: with the contract, with its compact style, and without it. */
export async function playWeatherAgent(
  { script }: Pick<Scenario, "script">,
  { guarded, plain }: Workspace,
): Promise<AgentsScene> {
  const watched = createWatchedContract({ workspaceRoot: guarded.path });
  const { contract, handled } = recordAnswers(watched.contract);
  const compact = recordAnswers(createContract({ format: { style: "compact" }, logger: false }));
  const side = await runSide(script, contract);
  await runSide(script, compact.contract);
  const without = await runSide(script);
  const turns = side.turns.map((message, turn) => ({
    message,
    calls: message.calls.map((scripted, index): CallRecord => {
      const id = callId(turn, index);
      const answer = handled.get(id);
      if (answer === undefined) throw new Error(`The contract did not answer ${id}.`);
      const text = without.answers.get(id);
      return {
        call: { id, name: scripted.tool, arguments: argumentsText(scripted) },
        handled: answer,
        repaired: watched.repaired.has(id),
        tokens: countTokens(answer.result.content),
        compactTokens: countTokens(compact.handled.get(id)?.result.content ?? ""),
        without:
          text === undefined ? [] : [{ loop: "plain", text, tokens: countTokens(text), ran: true }],
      };
    }),
  }));
  const metrics = watched.contract.metrics();
  return {
    ...watched,
    turns,
    metrics,
    guarded,
    plain,
    withContract: side,
    withoutContract: without,
  };
}

const WEATHER = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: true as const,
};

async function runSide(script: Scenario["script"], contract?: Contract): Promise<AgentSide> {
  const reached: unknown[] = [];
  const weather = tool({
    name: "get_weather",
    description: "The weather of a city",
    strict: false,
    parameters: WEATHER,
    execute: (input) => {
      reached.push(input);
      return `Sunny in ${(input as { readonly city: string }).city}`;
    },
  });
  const { model, turns, answers } = modelOf(script);
  const plain = new Agent({ name: "weather", model, tools: [weather] });
  const bare = { agent: plain, runner: new Runner({ tracingDisabled: true }) };
  const runConfig = { tracingDisabled: true };
  const { agent, runner } = contract ? withContract(plain, { contract, runConfig }) : bare;
  try {
    const { finalOutput: said } = await runner.run(agent, "How is the weather?");
    return { turns, answers, reached, said };
  } catch (thrown) {
    return { turns, answers, reached, said: undefined, thrown: thrown as Error };
  }
}

const callId = (turn: number, index: number): string => `call_${turn + 1}_${index + 1}`;

interface Scripted {
  readonly model: Model;
  readonly turns: readonly ModelTurn[];
  readonly answers: ReadonlyMap<string, string>;
}

/** The script behind the SDK's interface of a model; it keeps what it read. */
function modelOf(script: Scenario["script"]): Scripted {
  const source = createScriptedModel(script);
  const turns: ModelTurn[] = [];
  const answers = new Map<string, string>();
  const model = {
    async getResponse({ input }: Parameters<Model["getResponse"]>[0]) {
      for (const item of typeof input === "string" ? [] : input) {
        if (item.type === "function_call_result")
          answers.set(item.callId, (item.output as { readonly text: string }).text);
      }
      const turn = turns.length;
      const message = source.next([...answers.values()]) ?? { calls: [], lessons: [] };
      turns.push(message);
      const calls = message.calls.map((call, index) => ({
        type: "function_call" as const,
        callId: callId(turn, index),
        name: call.tool,
        arguments: argumentsText(call),
      }));
      const content = [{ type: "output_text" as const, text: message.says ?? "" }];
      const text = { type: "message", role: "assistant", status: "completed", content } as const;
      return { usage: USAGE as never, output: calls.length > 0 ? calls : [text] };
    },
    getStreamedResponse: () => {
      throw new Error("The scene is not streamed.");
    },
  };
  return { model, turns, answers };
}

const USAGE = {
  requests: 1,
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  add: () => undefined,
};
