import { type OptionRules, isObject, isRecord, wholeFrom } from "@toolcontract/core/adapter";
import {
  checkQueues,
  createQueues,
  type Queues,
  type SessionLimits,
} from "@toolcontract/session/tools";

/** What one tool call may take: time, bytes of its result, and a place among the calls that run at once. */
export interface ToolLimits extends Pick<
  SessionLimits,
  "toolTimeout" | "toolResponseMaxBytes" | "truncateExempt" | "queues" | "queueOf"
> {}

const isPositive = (value: unknown): value is number => typeof value === "number" && value > 0;

const bytes = wholeFrom(1);

/** What each limit must be. */
export const TOOL_LIMITS: OptionRules = {
  toolTimeout: {
    wants: "a number of milliseconds above 0, or a function that returns one for a tool",
    fits: (value) => isPositive(value) || typeof value === "function",
  },
  toolResponseMaxBytes: {
    wants: `${bytes.wants}, or a function that returns one for a tool`,
    fits: (value) => bytes.fits(value) || typeof value === "function",
  },
  truncateExempt: {
    wants: "an array of tool names",
    fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  },
  queues: isObject,
  queueOf: {
    wants: 'an object of queue names by tool name, such as { open_page: "browser" }',
    fits: (value) =>
      isRecord(value) && Object.values(value).every((name) => typeof name === "string"),
  },
};

/** What reached a limit, and what is in the queues now. */
export interface LimitCounts {
  /** Calls over their time since the start. */
  readonly timedOut: number;
  /** Results that were cut since the start. */
  readonly truncated: number;
  /** Every queue as it is now. */
  readonly queues: readonly {
    readonly name: string;
    /** Calls that hold a place. */
    readonly running: number;
    /** Calls that wait for one. */
    readonly waiting: number;
  }[];
}

/** The limits of each tool. */
export interface ToolLimiter {
  /** Counts a call that reached a limit. */
  count(what: "timedOut" | "truncated"): void;
  counts(): LimitCounts;
  readonly queues: Queues;
  /** The queue of a tool; undefined if its calls never wait. */
  queueOf(tool: string): string | undefined;
  /** Milliseconds; undefined for no limit. */
  timeoutOf(tool: string): number | undefined;
  /** Bytes of a result; undefined for no limit. */
  maxBytesOf(tool: string): number | undefined;
}

/**
 * Prepares limits whose types were checked.
 *
 * @param where - The function that received them, named in errors.
 * @throws ToolContractError if a queue is not defined.
 */
export function createToolLimiter(limits: ToolLimits, where: string): ToolLimiter {
  const { toolTimeout, toolResponseMaxBytes, truncateExempt = [], queueOf = {} } = limits;
  const queues = createQueues(limits.queues);
  checkQueues(queues, queueOf, where);
  const hasDefault = isRecord(limits.queues) && "default" in limits.queues;
  const mayWait = hasDefault || limits.queues === queues;
  const counts = { timedOut: 0, truncated: 0 };
  return {
    count(what) {
      counts[what] += 1;
    },
    counts: () => ({
      ...counts,
      queues: queues.names.map((name) => ({ name, ...queues.depth(name) })),
    }),
    queues,
    queueOf: (tool) =>
      Object.hasOwn(queueOf, tool) ? queueOf[tool] : mayWait ? "default" : undefined,
    timeoutOf: (tool) => limitForTool(toolTimeout, tool, isPositive),
    maxBytesOf: (tool) =>
      truncateExempt.includes(tool)
        ? undefined
        : limitForTool(toolResponseMaxBytes, tool, bytes.fits),
  };
}

/** What the user's own function throws or returns by mistake is not a limit. */
function limitForTool(
  limit: ToolLimits["toolTimeout"],
  tool: string,
  fits: (value: unknown) => boolean,
): number | undefined {
  if (typeof limit !== "function") return limit;
  try {
    const answer = limit(tool);
    return fits(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}
