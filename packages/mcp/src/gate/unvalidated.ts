import type { Contract } from "@toolcontract/core";

/** Why a call was not validated. */
export type UnvalidatedReason =
  /** The server's tool list cannot be had. */
  | "tool-list"
  /** The tool's schema does not compile. */
  | "schema"
  /** The server does not list the tool. */
  | "unlisted"
  /** Its arguments do not fit, and the server did not say so: it failed in other words, or nobody knows. */
  | "soft"
  /** The user turned validation off for the tool. */
  | "turned-off"
  /** Servers may read another call from it. */
  | "unreadable"
  | "too-large"
  /** It was sent to another path than the MCP endpoint. */
  | "other-path"
  /** The gate itself failed. */
  | "gate";

/** How many calls were not validated for one reason. */
export interface UnvalidatedCount {
  readonly reason: UnvalidatedReason;
  /** What became of them. */
  readonly outcome: "forwarded" | "refused";
  /** How many there were since the start. */
  readonly count: number;
}

/** How many messages were relayed unread since the start, because they are over the size limit, by who sent them. */
export interface UnreadCounts {
  /** Messages of the client that cannot be tool calls. */
  readonly client: number;
  /** Messages of the server, such as long results. */
  readonly server: number;
}

/** Counts and logs the calls that are not validated. */
export interface Unvalidated {
  /** Counts a call; `toolName` only if the server lists the tool. */
  readonly add: (
    reason: UnvalidatedReason,
    outcome: UnvalidatedCount["outcome"],
    toolName?: string,
  ) => void;
  /** Reports what keeps calls from being validated, once for each reason. */
  readonly report: (reason: UnvalidatedReason, thrown: unknown) => void;
  readonly counts: () => readonly UnvalidatedCount[];
  /** Counts a message that is not a call and is relayed unread. */
  readonly addUnread: (from: keyof UnreadCounts) => void;
  readonly unread: () => UnreadCounts;
  /** Whether the contract could not compile the schema of a tool. */
  readonly hasBrokenSchema: (toolName: string) => boolean;
}

/** Do not warn about what users have chosen, or what models do every day. */
const EXPECTED: ReadonlySet<UnvalidatedReason> = new Set(["unlisted", "soft", "turned-off"]);
/** The faults of schemas with which the contract accepts any arguments. */
const OPEN_SCHEMA = new Set(["schema: schema-not-compiled", "schema: unknown-dialect"]);

/** A call that was forwarded without being validated. */
class UnvalidatedCall extends Error {}

/** Creates the counters of one gate. */
export function createUnvalidated(contract: Contract): Unvalidated {
  const { settings } = contract;
  const counts = new Map<string, UnvalidatedCount>();
  const broken = new Set<string>();
  const unread = { client: 0, server: 0 };
  contract.on("contract-degraded", ({ stage, toolName }) => {
    if (toolName !== undefined && OPEN_SCHEMA.has(stage)) broken.add(toolName);
  });

  return {
    add(reason, outcome, toolName) {
      const key = `${reason} ${outcome}`;
      counts.set(key, { reason, outcome, count: (counts.get(key)?.count ?? 0) + 1 });
      const isReported = EXPECTED.has(reason) || reason === "schema" || outcome === "refused";
      if (!isReported) settings.degraded(reason, new UnvalidatedCall());
      const tool = toolName === undefined ? {} : { tool_name: toolName };
      settings.log({ level: "info", reason, ...tool }, `Tool call ${outcome} without validation`);
    },
    report: (reason, thrown) => settings.degraded(reason, thrown),
    counts: () => [...counts.values()],
    addUnread(from) {
      unread[from] += 1;
      settings.log({ level: "info", reason: "too-large" }, `Message of the ${from} relayed unread`);
    },
    unread: () => ({ ...unread }),
    hasBrokenSchema: (toolName) => broken.has(toolName),
  };
}
