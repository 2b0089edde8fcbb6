import { ToolMessage } from "@langchain/core/messages";
import type { Blocked, Rejected } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { toArtifact } from "./artifact.ts";
import type { NativeCall } from "./native-call.ts";

/** The call that is answered, and its tool, where there is one. */
interface Answered {
  readonly call: NativeCall;
  readonly tool?: unknown;
}

/** Makes the message that answers a call of which the contract says no. */
export function rejectionMessage(
  { call: { id, name }, tool }: Answered,
  answer: Rejected | Blocked,
): ToolMessage {
  const returnDirect = isRecord(tool) && tool["returnDirect"] === true;
  return new ToolMessage({
    status: "error",
    // Graphs end the run on any message that bears the name of such a tool, createAgent did so once.
    ...(!returnDirect && { name }),
    tool_call_id: id ?? "",
    content: answer.result.content,
    artifact: toArtifact(answer),
  });
}
