import type { ToolMessage } from "@langchain/core/messages";
import { type ParsedRejection, parseRejection } from "@toolcontract/core";
import { readMarker } from "./artifact.ts";
import { textOf } from "./message-text.ts";

/** Reads a tool message as an answer of the contract; undefined for what a tool said, in whatever words. */
export function readRejection(message: ToolMessage): ParsedRejection | undefined {
  const isExecuted =
    message.status === "success" || readMarker(message.artifact)?.status === "executed";
  return isExecuted ? undefined : parseRejection(textOf(message));
}
