import type { EscalationError } from "@toolcontract/core";
import { generateText, type ModelMessage, streamText, type UIMessageChunk } from "ai";

/** The function of the SDK that runs the loop. */
export type SdkFunction = "generateText" | "streamText";

/** What the loop is called with; both functions take it. */
export type SdkCall = Pick<
  Parameters<typeof generateText>[0],
  "model" | "tools" | "stopWhen" | "onStepEnd"
> & { readonly messages: ModelMessage[] };

/** What one run of the loop added to the conversation. */
export interface SdkAnswer {
  readonly messages: readonly ModelMessage[];
  /** What a browser was sent; empty where nothing is streamed. */
  readonly shown: readonly UIMessageChunk[];
  /** Where the run ended with an escalation instead. */
  readonly thrown?: EscalationError;
}

/** Runs the SDK's loop once; what the run throws, it throws. */
export async function askSdk(name: SdkFunction, call: SdkCall): Promise<SdkAnswer> {
  if (name === "generateText") {
    return { messages: (await generateText(call)).responseMessages, shown: [] };
  }
  const result = streamText(call);
  const shown: UIMessageChunk[] = [];
  for await (const chunk of result.toUIMessageStream()) shown.push(chunk);
  return { messages: await result.responseMessages, shown };
}
