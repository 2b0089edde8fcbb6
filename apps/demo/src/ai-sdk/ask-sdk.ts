import type { EscalationError } from "@toolcontract/core";
import { generateText, type ModelMessage, streamText, type UIMessageChunk } from "ai";

/** The function of the SDK that runs the loop. */
export type SdkFunction = "generateText" | "streamText";

/** The options of the loop, for both functions. */
export type SdkCall = Pick<
  Parameters<typeof generateText>[0],
  "model" | "tools" | "stopWhen" | "onStepEnd" | "telemetry"
> & { readonly messages: ModelMessage[] };

/** What one run of the loop added to the conversation. */
export interface SdkAnswer {
  readonly messages: readonly ModelMessage[];
  /** What the browser received; empty without streaming. */
  readonly shown: readonly UIMessageChunk[];
  /** The escalation, if the run ended with one. */
  readonly thrown?: EscalationError;
}

/** Runs the SDK's loop once; throws what the run throws. */
export async function askSdk(name: SdkFunction, call: SdkCall): Promise<SdkAnswer> {
  if (name === "generateText") {
    return { messages: (await generateText(call)).responseMessages, shown: [] };
  }
  const result = streamText(call);
  const shown: UIMessageChunk[] = [];
  for await (const chunk of result.toUIMessageStream()) shown.push(chunk);
  return { messages: await result.responseMessages, shown };
}
