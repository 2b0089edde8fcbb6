import { type NextTurn, type RequestTimeout, REPORT_TOOL } from "../shared/index.ts";
import type { RunState } from "./state.ts";

/** A tool as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  /** What the model reads about it. */
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments. */
  readonly inputSchema?: unknown;
  /** True if only the provider knows how it is called: such a tool is offered natively in every transport. */
  readonly isProviderDefined?: boolean;
}

/** What a framework is about to send to a model. */
export interface TurnRequest {
  /** The tools that the framework offers, the report tool among them. */
  readonly tools: readonly OfferedTool[];
  /** The whole prompt; read only if tokens are counted, or to see whether a turn is asked again. */
  readonly messages: () => readonly { readonly role: string; readonly text: string }[];
  /** The caller's signal, as the framework passes it on. */
  readonly signal?: AbortSignal | undefined;
  /** The times that the framework gives its requests: the shorter one counts. */
  readonly requestTimeout?: RequestTimeout;
  /** Whether the answer is read part by part: then its first part, and each after it, has a time of its own. */
  readonly isStreamed?: boolean | ((target: never) => boolean);
}

/** What the next answer may consist of, in an XML transport. */
export function nextTurn(
  { limits }: RunState,
  tools: readonly OfferedTool[],
  isForced: boolean,
): NextTurn {
  const { expectedOutputFormat: format, maxToolCallsPerTurn: slots, given } = limits;
  return {
    tools: tools.filter(({ isProviderDefined }) => isProviderDefined !== true),
    isForced,
    report: { format, outputSchema: given.outputSchema },
    ...(Number.isFinite(slots) && { slots }),
  };
}

/** Everything that a request says of tools and is not a message of the conversation: its tokens are those of the schema. */
export function offerText(
  state: RunState,
  tools: readonly OfferedTool[],
  isForced: boolean,
): string {
  const left = isForced ? tools.filter(({ name }) => name === REPORT_TOOL) : tools;
  const { xml } = state;
  if (!xml) return toolsText(left);
  const native = left.filter((tool) => xml.isOfferedNatively(tool));
  return toolsText(native) + xml.renderNext(nextTurn(state, tools, isForced));
}

function toolsText(tools: readonly OfferedTool[]): string {
  return tools.length === 0 ? "" : JSON.stringify(tools);
}
