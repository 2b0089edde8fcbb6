import { Agent, type Model, Runner, tool } from "@openai/agents";
import { withContract } from "@toolcontract/openai-agents";
import type { RunSide } from "../agent-sides/play-agent-sides.ts";
import { type RecordedTurns, recordTurns } from "../agent-sides/recorded-turns.ts";

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
  const recorded = recordTurns(script);
  const { turns, answers } = recorded;
  const plain = new Agent({ name: "weather", model: modelOf(recorded), tools: [weather] });
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

/** The script behind the SDK's interface of a model. */
function modelOf({ read, next }: RecordedTurns): Model {
  return {
    async getResponse({ input }) {
      for (const item of typeof input === "string" ? [] : input) {
        if (item.type === "function_call_result")
          read(item.callId, (item.output as { readonly text: string }).text);
      }
      const { message, calls: written } = next();
      const calls = written.map(({ id, name, text }) => ({
        type: "function_call" as const,
        callId: id,
        name,
        arguments: text,
      }));
      const content = [{ type: "output_text" as const, text: message.says ?? "" }];
      const text = { type: "message", role: "assistant", status: "completed", content } as const;
      return { usage: USAGE as never, output: calls.length > 0 ? calls : [text] };
    },
    getStreamedResponse: () => {
      throw new Error("The scene is not streamed.");
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
