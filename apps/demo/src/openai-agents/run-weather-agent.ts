import { Agent, type Model, Runner, tool } from "@openai/agents";
import { withContract } from "@toolcontract/openai-agents";
import { callId, type RunSide } from "../agent-sides/play-agent-sides.ts";
import type { Scenario } from "../scenario.ts";
import { argumentsText, createScriptedModel, type ModelTurn } from "../scripted-model.ts";

const WEATHER = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: true as const,
};

/** Runs an agent of the OpenAI Agents SDK on a script. */
export const runWeatherAgent: RunSide = async (script, contract) => {
  const reached: unknown[] = [];
  const ran = new Set<string>();
  const weather = tool({
    name: "get_weather",
    description: "The weather of a city",
    strict: false,
    parameters: WEATHER,
    execute: (input, _, details) => {
      reached.push(input);
      ran.add(details?.toolCall?.callId ?? "");
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
    return { turns, answers, reached, ran, said };
  } catch (thrown) {
    return { turns, answers, reached, ran, said: undefined, thrown: thrown as Error };
  }
};

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
