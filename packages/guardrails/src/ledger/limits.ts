import { createHash } from "node:crypto";
import type { HostContext, LedgerClaim } from "@toolcontract/core";
import type { LimitOptions, LimitScope, Per } from "../shared/index.ts";
import { type Window, windowOf } from "./windows.ts";

/** Where a call is made and for whom, as far as limits look at it. */
export interface Spender {
  /** The conversation. */
  readonly conversationId?: string | undefined;
  /** False if unrelated users share the conversation's id. */
  readonly knowsConversation?: boolean | undefined;
  /** The run. */
  readonly runId?: string | undefined;
  /** False if the run is not known. */
  readonly knowsRun?: boolean | undefined;
  /** What the host passes as `context`. */
  readonly context?: HostContext | undefined;
}

/** A limit as calls are checked against it. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly per: Per | undefined;
  /** The account of a spender, and since when calls count in it; undefined if the scope has no value. */
  accountOf(spender: Spender, now: number): Pick<LedgerClaim, "account" | "after"> | undefined;
}

/** Reads a limit whose options were checked. */
export function limitOf(name: string, options: LimitOptions): Limit {
  const { max, per, scope = "conversation", timeZone = "UTC" } = options;
  const window: Window = windowOf(per, timeZone);
  return {
    name,
    max,
    per,
    accountOf(spender, now) {
      const owner = ownerOf(scope, spender);
      if (owner === undefined || (per === "run" && spender.knowsRun === false)) return undefined;
      const run = per === "run" ? [spender.runId ?? ""] : [];
      const after = window(now);
      const account = accountName([name, ...owner, ...run]);
      return { account, ...(after !== undefined && { after }) };
    },
  };
}

/** What tells the calls of a scope from all others; undefined if it has no value. */
function ownerOf(scope: LimitScope, spender: Spender): readonly string[] | undefined {
  switch (scope) {
    case "global":
      return ["global"];
    case "conversation":
      return conversationOf(spender);
    case "user":
      return named("user", spender.context?.user);
    default:
      return named("scope", scope(spender.context ?? {}));
  }
}

/** A conversation that the host does not name is its run. */
function conversationOf(spender: Spender): readonly string[] | undefined {
  const { conversationId, runId, knowsConversation, knowsRun } = spender;
  if (knowsConversation !== false) return named("conversation", conversationId);
  return knowsRun === false ? undefined : named("run", runId);
}

function named(kind: string, value: unknown): readonly string[] | undefined {
  const isName = (typeof value === "string" && value !== "") || Number.isFinite(value);
  return isName ? [kind, String(value)] : undefined;
}

const LONGEST = 200;

/** Names an account: readable if it is short, and never two alike. */
function accountName(parts: readonly string[]): string {
  const name = JSON.stringify(parts);
  return name.length <= LONGEST ? name : createHash("sha256").update(name).digest("hex");
}
