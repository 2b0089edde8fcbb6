import { ToolMessage } from "@langchain/core/messages";
import { FORMAT_VERSION } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { readMarker } from "./artifact.ts";
import { readRejection } from "./read-rejection.ts";

const EXECUTED = { formatVersion: FORMAT_VERSION, status: "executed" } as const;

/**
 * Marks what a tool said where it reads like an answer of the contract, such as a log that quotes one: only what the
 * contract says is counted and ends runs. Every other message stays untouched.
 */
export function markExecuted(reply: unknown): void {
  for (const message of messagesOf(reply)) {
    if (!ToolMessage.isInstance(message) || readRejection(message) === undefined) continue;
    const given: unknown = message.artifact;
    if (readMarker(given) !== undefined || (given !== undefined && !isRecord(given))) continue;
    const artifact = { ...given, toolcontract: EXECUTED };
    // Of a frozen message nothing can be said.
    Reflect.set(message, "artifact", artifact);
    Reflect.set(message.lc_kwargs, "artifact", artifact);
  }
}

/** The messages of a reply, which may be a command with them. */
function messagesOf(reply: unknown): readonly unknown[] {
  const update = isRecord(reply) ? reply["update"] : undefined;
  const messages = isRecord(update) ? update["messages"] : undefined;
  return Array.isArray(messages) ? messages : [reply];
}
