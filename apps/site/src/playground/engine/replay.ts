import type { JsonSchema } from "@toolcontract/core";
import { MAX_CALLS, type PlaygroundState } from "../state/index.ts";
import { readCall } from "./read-call.ts";
import { readTool, type Validator } from "./read-tool.ts";
import { type Turn, sendAll } from "./send-all.ts";

/** The outcome of a conversation. */
export interface Replay {
  /** The tool; absent if it cannot be read. */
  readonly tool?: {
    readonly name: string;
    /** How its text was read, such as `"an MCP tool"`. */
    readonly readAs: string;
    /** Absent for zod. */
    readonly schema?: JsonSchema;
  };
  /** The arguments of the last call as they were sent; absent if it calls another tool. */
  readonly sent?: string;
  readonly faults: readonly Fault[];
  /** One for each call, the oldest first; empty if the tool cannot be read. */
  readonly turns: readonly Turn[];
}

/** What is wrong with what was typed, or worth knowing about it. */
interface Fault {
  readonly place: "Tool" | "Call";
  /** After an `"error"` there are no turns; a `"note"` says how the text was read. */
  readonly severity: "error" | "note";
  readonly message: string;
}

/**
 * Sends all calls of a conversation through a new contract, in order, and returns the outcome of each.
 *
 * @param validator - What the text of the tool evaluated to, if its language is zod.
 * @param ownName - The tool's name, if the text says it.
 * @remarks Never throws, whatever was typed.
 */
export async function replay(
  state: PlaygroundState,
  validator?: Validator,
  ownName?: string,
): Promise<Replay> {
  const calls = [...state.sent, state.call].slice(-MAX_CALLS).map(readCall);
  const { note } = calls.at(-1) ?? {};
  const notes = note === undefined ? [] : [noteOn("Call", note)];
  const called = calls.findLast(({ toolName }) => toolName !== undefined)?.toolName;
  const tool = readTool(state.tool, validator, ownName, called);
  if ("fault" in tool)
    return {
      faults: [{ place: "Tool", severity: "error", message: tool.fault }, ...notes],
      turns: [],
    };
  const { name, inputSchema: schema } = tool.definition;
  const sentCalls = calls.map(({ text, toolName }) => ({
    text,
    // A tool without a name is the one that is called, whatever its name.
    name: (tool.isNamed ? toolName : undefined) ?? name,
  }));
  const { turns, degraded } = await sendAll(sentCalls, tool.definition, state.options);
  const last = sentCalls.at(-1);
  return {
    tool: { name, readAs: tool.readAs, ...(schema !== undefined && { schema }) },
    ...(last?.name === name && { sent: last.text }),
    faults: [...degraded.map((words) => noteOn("Tool", words)), ...notes],
    turns,
  };
}

function noteOn(place: Fault["place"], message: string): Fault {
  return { place, severity: "note", message };
}
