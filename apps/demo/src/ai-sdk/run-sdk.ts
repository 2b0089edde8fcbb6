import { EscalationError } from "@toolcontract/core";
import {
  isStepCount,
  type ModelMessage,
  type StepResult,
  type ToolSet,
  type UIMessageChunk,
} from "ai";
import type { AssistantMessage, ModelTurn } from "../scripted-model.ts";
import { answersIn, type Prompt, type ReadAnswer } from "./answers.ts";
import { askSdk, type SdkAnswer, type SdkCall, type SdkFunction } from "./ask-sdk.ts";
import { createScriptedLanguageModel } from "./scripted-language-model.ts";
import type { Toolbox } from "./toolbox.ts";

/** The outcome of one side of a scene. */
export interface SdkRun {
  readonly turns: readonly ModelTurn[];
  readonly steps: readonly StepResult<ToolSet>[];
  /** What the model read, or would read next, by the id of the call. */
  readonly answers: ReadonlyMap<string, ReadAnswer>;
  /** The names of the tools offered in each request. */
  readonly offered: readonly (readonly string[])[];
  /** The arguments that reached a tool, a server or the client. */
  readonly reached: readonly unknown[];
  /** What the browser received. */
  readonly shown: readonly UIMessageChunk[];
  /** The application's failure on a call that it got. */
  readonly crash?: Crash;
  /** What the run threw instead of returning an answer. */
  readonly thrown?: EscalationError;
}

interface Crash {
  readonly toolCallId: string;
  readonly message: string;
}

/** What the contract changes in the options of the loop. */
export type Settings = Pick<SdkCall, "tools" | "stopWhen" | "telemetry">;

const MOST_STEPS = 8;

/** The condition that ends every run. */
export const stopWhen = isStepCount(MOST_STEPS);

/** Runs a scripted model in the SDK's loop; the client answers the calls that are left to it. */
export async function runSdk(
  script: readonly AssistantMessage[],
  settings: Settings,
  toolbox: Toolbox,
  name: SdkFunction = "generateText",
): Promise<SdkRun> {
  const { model, turns, requests } = createScriptedLanguageModel(script);
  const steps: StepResult<ToolSet>[] = [];
  const messages: ModelMessage[] = [{ role: "user", content: "Please." }];
  const shown: UIMessageChunk[] = [];
  const onStepEnd = (step: StepResult<ToolSet>): void => void steps.push(step);
  const call = { stopWhen, ...settings, model, onStepEnd };
  let end: Pick<SdkRun, "crash" | "thrown"> | undefined;
  while (end === undefined) {
    const answer = await askSdk(name, { ...call, messages: [...messages] }).catch(asEscalation);
    messages.push(...answer.messages);
    shown.push(...answer.shown);
    const next = answer.thrown ? answer : answerAsClient(steps.at(-1), toolbox);
    if ("role" in next) messages.push(next);
    else end = next;
  }
  const sent = requests();
  return {
    turns,
    steps,
    answers: new Map([
      // The answers of the last step, which no request followed; they have the parts that a provider receives.
      ...answersIn(messages as Prompt),
      ...answersIn(sent.at(-1)?.prompt ?? []),
    ]),
    offered: sent.map(({ tools = [] }) => tools.map((tool) => tool.name)),
    reached: toolbox.reached,
    shown,
    ...(end.crash && { crash: end.crash }),
    ...(end.thrown && { thrown: end.thrown }),
  };
}

/** The outcome of a run that ends with an escalation instead of an answer. */
function asEscalation(error: unknown): SdkAnswer & { readonly thrown: EscalationError } {
  if (EscalationError.isInstance(error)) return { messages: [], shown: [], thrown: error };
  throw error;
}

/** What the application adds to the conversation for the calls that are left to it, or how it fails. */
function answerAsClient(
  step: StepResult<ToolSet> | undefined,
  { tools, client }: Toolbox,
): ModelMessage | Pick<SdkRun, "crash"> {
  const calls = (step?.toolCalls ?? []).filter(
    ({ toolName, invalid }) => invalid !== true && tools[toolName]?.execute === undefined,
  );
  if (client === undefined || calls.length === 0) return {};
  const content = [];
  for (const { toolCallId, toolName, input } of calls) {
    try {
      const output = { type: "text" as const, value: client(toolName, input) };
      content.push({ type: "tool-result" as const, toolCallId, toolName, output });
    } catch (error) {
      return { crash: { toolCallId, message: String(error) } };
    }
  }
  return { role: "tool", content };
}
