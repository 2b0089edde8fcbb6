import type { CallContext, ToolDefinition } from "@toolcontract/core";
import { fingerprint } from "../wire/index.ts";
import type { CallInGate } from "./call.ts";
import { ownedKey } from "./fair-map.ts";
import type { Link } from "./link.ts";

/** Says in which conversation, turn and run a call counts: the same in every process. */
export interface Conversations {
  contextOf(call: Pick<CallInGate, "link" | "turn">, tool?: ToolDefinition): CallContext;
}

/** How close together the calls of a turn are, and whether keys name their owner. */
export interface ConversationsOptions {
  readonly coalesceMs: number;
  /** True for the gate's own store; in one that processes share, a client must have one key, whatever its address is. */
  readonly isOwned: boolean;
}

/** Creates what names conversations. */
export function createConversations({ coalesceMs, isOwned }: ConversationsOptions): Conversations {
  return {
    contextOf({ link, turn }, tool) {
      const key = isOwned ? ownedKeyOf(link) : link.attemptKey;
      return {
        // Core requires a name, and some transports have none.
        conversationId: key === "" ? "mcp" : key,
        turnId: turn.turnId,
        // Of its own store, this process knows which calls are one turn.
        ...(!isOwned && { together: coalesceMs, at: turn.arrivedAt }),
        mayBeQuoted: true,
        ...(tool && { runId: runOf(tool) }),
      };
    },
  };
}

/** The key of a link in a register of this process. */
export function ownedKeyOf({ attemptKey, owner }: Link): string {
  return owner === undefined ? attemptKey : ownedKey(attemptKey, owner);
}

const runs = new WeakMap<ToolDefinition, string>();

/** A run ends if the tool has changed: its attempts were made against another schema. */
function runOf(tool: ToolDefinition): string {
  const known = runs.get(tool);
  if (known !== undefined) return known;
  const run = fingerprint(schemaText(tool.inputSchema));
  runs.set(tool, run);
  return run;
}

function schemaText(schema: unknown): string {
  try {
    return JSON.stringify(schema ?? null);
  } catch {
    // Nested so deeply that serializing it overflows the stack.
    return "deep";
  }
}
