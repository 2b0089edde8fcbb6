import { generateText, isStepCount, type ModelMessage, type StepResult, type ToolSet } from "ai";
import type { AssistantMessage, ModelTurn } from "../scripted-model.ts";
import { answersIn, type ReadAnswer } from "./answers.ts";
import { createScriptedLanguageModel } from "./scripted-language-model.ts";
import type { Toolbox } from "./sdk-scenario.ts";

/** What one side of a scene came to. */
export interface SdkRun {
  readonly turns: readonly ModelTurn[];
  readonly steps: readonly StepResult<ToolSet>[];
  /** What the model read, by the id of the call. */
  readonly answers: ReadonlyMap<string, ReadAnswer>;
  /** The names of the tools on offer, request by request. */
  readonly offered: readonly (readonly string[])[];
  /** The arguments that reached a tool, a server or the client. */
  readonly reached: readonly unknown[];
  /** The application's failure on a call that it was handed. */
  readonly crash?: Crash;
}

interface Crash {
  readonly toolCallId: string;
  readonly message: string;
}

/** What the contract changes of a call of generateText. */
export type Settings = Pick<Parameters<typeof generateText>[0], "tools" | "stopWhen">;

const MOST_STEPS = 8;

/** The condition that ends every run. */
export const stopWhen = isStepCount(MOST_STEPS);

/** Lets a scripted model run in generateText; calls that are left to the client are answered by it. */
export async function runSdk(
  script: readonly AssistantMessage[],
  settings: Settings,
  toolbox: Toolbox,
): Promise<SdkRun> {
  const { model, turns } = createScriptedLanguageModel(script);
  const steps: StepResult<ToolSet>[] = [];
  const messages: ModelMessage[] = [{ role: "user", content: "Please." }];
  let open: ModelMessage | Crash | undefined;
  do {
    const result = await generateText({ stopWhen, ...settings, model, messages: [...messages] });
    steps.push(...result.steps);
    messages.push(...result.responseMessages);
    open = answerAsClient(result.steps.at(-1), toolbox);
    if (open && "role" in open) messages.push(open);
  } while (open && "role" in open);
  const requests = model.doGenerateCalls;
  return {
    turns,
    steps,
    answers: answersIn(requests.at(-1)?.prompt ?? []),
    offered: requests.map(({ tools = [] }) => tools.map(({ name }) => name)),
    reached: toolbox.reached,
    ...(open && { crash: open }),
  };
}

/** What the application adds to the conversation for the calls that are left to it. */
function answerAsClient(
  step: StepResult<ToolSet> | undefined,
  { tools, client }: Toolbox,
): ModelMessage | Crash | undefined {
  const calls = (step?.toolCalls ?? []).filter(
    ({ toolName, invalid }) => invalid !== true && tools[toolName]?.execute === undefined,
  );
  if (client === undefined || calls.length === 0) return undefined;
  const content = [];
  for (const { toolCallId, toolName, input } of calls) {
    try {
      const output = { type: "text" as const, value: client(toolName, input) };
      content.push({ type: "tool-result" as const, toolCallId, toolName, output });
    } catch (error) {
      return { toolCallId, message: String(error) };
    }
  }
  return { role: "tool", content };
}
