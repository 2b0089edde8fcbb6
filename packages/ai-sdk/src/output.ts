import { EscalationError, type ToolDefinition } from "@toolcontract/core";
import { answerText } from "@toolcontract/core/adapter";
import { type FlexibleSchema, Output, type ToolSet } from "ai";
import type { JudgeAnswer } from "./judge-answer.ts";
import type { Guard } from "./guard.ts";
import type { OutputOptions } from "./output-options.ts";
import { createToolDefinitions } from "./tool-definitions.ts";

/** The output for the SDK, in the names of all versions. */
export interface GuardedOutput<OBJECT> {
  /** What the SDK makes of the answer, once the contract has found that it fits. */
  readonly output: ReturnType<typeof Output.object<OBJECT>>;
  /** The name that version 5 reads. */
  readonly experimental_output: ReturnType<typeof Output.object<OBJECT>>;
}

/** The output of the SDK for a schema. */
export function outputOf<OBJECT>({ schema }: OutputOptions<OBJECT>): GuardedOutput<OBJECT> {
  const output = Output.object({ schema: schema as FlexibleSchema<OBJECT> });
  return { output, experimental_output: output };
}

/** Creates what judges the answers of one step: by the contract, in the run that the step is of. */
export function createAnswerJudge(
  { schema, maxAttempts }: OutputOptions,
  guard: Pick<Guard, "contract" | "conversationId" | "isNamed" | "escalate">,
): (runId: string | undefined) => JudgeAnswer {
  const tools = { answer: { inputSchema: schema } } as unknown as ToolSet;
  const definitions = createToolDefinitions(tools, guard.contract);
  let defined: Promise<ToolDefinition | undefined> | undefined;
  return (known) => {
    const runId = known ?? globalThis.crypto.randomUUID();
    return async (text, finishReason) => {
      const tool = await (defined ??= definitions.get("answer"));
      const { contract, conversationId, isNamed, escalate } = guard;
      const answer = await contract.answer(text, {
        ...(tool?.inputSchema && { schema: tool.inputSchema as object }),
        ...(tool?.validator && { validator: tool.validator }),
        conversationId,
        runId,
        knowsConversation: isNamed,
        ...(finishReason !== undefined && { finishReason }),
        ...(maxAttempts !== undefined && { maxAttempts }),
      });
      if (answer.status === "rejected") return { action: "again", content: answer.content };
      if (answer.status === "blocked") {
        if (escalate === "throw") throw new EscalationError(answer.escalation);
        // By a bare JSON Schema the SDK would take whatever is JSON for the answer.
        return { action: "end", text: tool?.validator ? text : answer.content };
      }
      return { action: "end", text: answerText(text, answer, contract) };
    };
  };
}
