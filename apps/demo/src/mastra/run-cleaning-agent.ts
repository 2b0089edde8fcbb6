import { Agent, type AgentConfig } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { withContract } from "@toolcontract/mastra";
import type { RunSide } from "../agent-sides/play-agent-sides.ts";
import { type RecordedTurns, recordTurns } from "../agent-sides/recorded-turns.ts";

const SCHEMA = {
  type: "object",
  properties: { folder: { type: "string" } },
  additionalProperties: false,
} as const;

/** Runs an agent of Mastra on a script. */
export const runCleaningAgent: RunSide = async (script, contract) => {
  const reached: unknown[] = [];
  const ran = new Set<string>();
  const deleteFiles = createTool({
    id: "delete_files",
    description: "Deletes the files of a folder; of all folders, if none is named.",
    inputSchema: SCHEMA,
    execute: async (input: unknown, context) => {
      reached.push(input);
      ran.add(context?.agent?.toolCallId ?? "");
      return `Deleted ${(input as { readonly folder?: string }).folder ?? "everything"}`;
    },
  });
  const recorded = recordTurns(script);
  const { turns, answers } = recorded;
  const config: AgentConfig = {
    id: "cleaner",
    name: "cleaner",
    instructions: "Keep the disk tidy.",
    model: modelOf(recorded) as never,
    tools: { delete_files: deleteFiles },
  };
  const agent = new Agent(contract ? withContract(config, { contract }) : config);
  const { error } = console;
  // Mastra prints arguments that it cannot read.
  console.error = () => undefined;
  try {
    const { text: said } = await agent.generate("Delete the drafts.");
    return { turns, answers, reached, ran, said };
  } finally {
    console.error = error;
  }
};

interface Prompted {
  readonly prompt: readonly {
    readonly content: string | readonly { toolCallId?: string; output?: { value?: unknown } }[];
  }[];
}

/** The script behind the AI SDK's interface of a model, which Mastra calls. */
function modelOf({ read, next }: RecordedTurns): object {
  async function doGenerate({ prompt }: Prompted) {
    for (const part of prompt.flatMap(({ content }) =>
      typeof content === "string" ? [] : content,
    )) {
      if (part.output !== undefined) read(part.toolCallId ?? "", textOf(part.output.value));
    }
    const { message, calls: written } = next();
    const calls = written.map(({ id, name, text }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input: text,
    }));
    const content = calls.length > 0 ? calls : [{ type: "text", text: message.says ?? "" }];
    const finishReason = message.finishReason ?? (calls.length > 0 ? "tool-calls" : "stop");
    return { content, finishReason, usage: USAGE, warnings: [] };
  }

  const provider = { provider: "scripted", modelId: "scripted", supportedUrls: {} };
  return { specificationVersion: "v2", ...provider, doGenerate };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

const USAGE = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
