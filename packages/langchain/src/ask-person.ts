import { ToolMessage } from "@langchain/core/messages";
import type { AskRequest } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import type { NativeCall } from "./messages.ts";

/** What a run is interrupted with if guardrails ask a person about a call. */
export interface AskInterrupt {
  readonly type: "toolcontract.ask";
  /** What the person is asked, and what `guardrails.grant` takes. */
  readonly request: AskRequest;
}

/** Asks a person: `interrupt` of `@langchain/langgraph`, or a function of the application. */
export type AskPerson = (question: AskInterrupt) => unknown;

/** What a person said: the grant of the call, what the model reads in its place, or nothing of use. */
export interface Said {
  readonly grant?: string;
  readonly text?: string;
}

/** Asks a person about a call. */
export async function askPerson(request: AskRequest, ask: AskPerson): Promise<Said> {
  const reply: unknown = await ask({ type: "toolcontract.ask", request });
  if (typeof reply === "string" && reply !== "") return { text: reply };
  const grant = isRecord(reply) ? reply["grant"] : undefined;
  return typeof grant === "string" ? { grant } : {};
}

/** What a person answers the model in place of a call. */
export function saidBy(
  { id = "", name }: Pick<NativeCall, "id" | "name">,
  text: string,
): ToolMessage {
  return new ToolMessage({ status: "error", name, tool_call_id: id, content: text });
}
