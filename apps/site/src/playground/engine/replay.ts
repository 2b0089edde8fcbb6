import type { JsonSchema } from "@toolcontract/core";
import { readCalls, readTool, type Validator } from "../pastes/index.ts";
import { MAX_CALLS, MAX_TURNS, type PlaygroundState } from "../state/index.ts";
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
  /** The arguments of the last call as they were sent, of several the first; absent if it calls another tool. */
  readonly sent?: string;
  readonly faults: readonly Fault[];
  /** One for each call, the oldest first, also of an answer with several; empty if the tool cannot be read. */
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
 * @param validator - What the text of the tool evaluated to, if it is code.
 * @param ownName - The tool's name, if the text says it.
 * @remarks Never throws, whatever was typed.
 */
export async function replay(
  state: PlaygroundState,
  validator?: Validator,
  ownName?: string,
): Promise<Replay> {
  const answers = [...state.sent, state.call].slice(-MAX_CALLS).map(readCalls);
  const { note } = answers.at(-1) ?? {};
  const notes = note === undefined ? [] : [noteOn("Call", note)];
  const called = answers.findLast(({ calls }) => calls[0]?.toolName !== undefined)?.calls[0];
  const tool = readTool(state.tool, validator, ownName, called?.toolName);
  if ("fault" in tool)
    return {
      faults: [{ place: "Tool", severity: "error", message: tool.fault }, ...notes],
      turns: [],
    };
  const { name, inputSchema: schema } = tool.definition;
  const sentCalls = answers.flatMap(({ calls }, answer) =>
    calls.map(({ text, toolName, turn, written }, index) => ({
      text,
      ...(written !== undefined && { written }),
      // A tool without a name is the one that is called, whatever its name.
      name: (tool.isNamed ? toolName : undefined) ?? name,
      turnId: `${answer + 1}.${turn}`,
      isNewest: answer === answers.length - 1,
      ...(calls.length > 1 && { place: { number: index + 1, of: calls.length } }),
    })),
  );
  const tools = [tool.definition, ...(tool.others ?? [])];
  const { turns, degraded } = await sendAll(sentCalls.slice(-MAX_TURNS), tools, state.options);
  const newest = sentCalls.find((call) => call.isNewest && call.name === name);
  return {
    tool: { name, readAs: tool.readAs, ...(schema !== undefined && { schema }) },
    ...(newest !== undefined && { sent: newest.text }),
    faults: [...degraded.map((words) => noteOn("Tool", words)), ...notes],
    turns,
  };
}

function noteOn(place: Fault["place"], message: string): Fault {
  return { place, severity: "note", message };
}
