import { AIMessage } from "@langchain/core/messages";
import { type Escalation, FORMAT_VERSION } from "@toolcontract/core";

/** The message that ends a run in the model's place: for people to read, and typed for programs. */
export function escalationMessage(escalations: readonly Escalation[]): AIMessage {
  return new AIMessage({
    content: escalations.map(({ summary }) => summary).join("\n\n"),
    response_metadata: {
      toolcontract: {
        formatVersion: FORMAT_VERSION,
        status: "blocked",
        escalations: escalations.map((escalation) => escalation.toJSON()),
      },
    },
  });
}
