import { createHash } from "node:crypto";
import type { LedgerClaim } from "@toolcontract/core";
import { type OptionTable, oneOf } from "@toolcontract/core/adapter";
import { type LimitOptions, type Per, type Spender, scopeOwner, scopeOf } from "../shared/index.ts";
import { PERIODS, type Window, isTimeZone, windowOf } from "./windows.ts";

/** What a limit is. */
export const LIMIT_ROWS: OptionTable<keyof LimitOptions> = {
  max: {
    wants: "a number of at least 0",
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
    isRequired: true,
  },
  per: {
    ...oneOf(...PERIODS),
    wants: `one of ${PERIODS.join(", ")}; leave it out for a limit for ever`,
  },
  scope: scopeOf("conversation", "user", "tenant", "global"),
  timeZone: { wants: 'the name of a time zone, such as "Europe/Berlin"', fits: isTimeZone },
};

/** A limit as calls are checked against it. */
export interface SpendingLimit {
  readonly name: string;
  readonly max: number;
  readonly per: Per | undefined;
  /** The account of a spender, and since when calls count in it; undefined if the scope has no value. */
  accountOf(spender: Spender, now: number): Pick<LedgerClaim, "account" | "after"> | undefined;
}

/** Reads a limit whose options were checked. */
export function spendingLimit(name: string, options: LimitOptions): SpendingLimit {
  const { max, per, scope = "conversation", timeZone = "UTC" } = options;
  const window: Window = windowOf(per, timeZone);
  // Amounts of one period do not count in another: each has accounts of its own.
  const period = per === "day" ? [per, timeZone] : [per ?? "ever"];
  return {
    name,
    max,
    per,
    accountOf(spender, now) {
      const owner = scopeOwner(scope, spender);
      if (owner === undefined || (per === "run" && spender.knowsRun === false)) return undefined;
      const run = per === "run" ? [spender.runId ?? ""] : [];
      const after = window(now);
      const account = accountName([name, ...period, ...owner, ...run]);
      return { account, ...(after !== undefined && { after }) };
    },
  };
}

const LONGEST = 200;

/** Names an account: readable if it is short, and never two alike. */
export function accountName(parts: readonly string[]): string {
  const name = JSON.stringify(parts);
  return name.length <= LONGEST ? name : createHash("sha256").update(name).digest("hex");
}
