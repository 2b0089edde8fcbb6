import type { Ledger } from "@toolcontract/core";
import { checkMembers, type OptionRule } from "@toolcontract/core/adapter";
import {
  type Limit,
  PERIODS,
  type Spend,
  isTimeZone,
  limitOf,
  memoryLedger,
} from "./ledger/index.ts";
import { fail, objectIn, shown } from "./option-faults.ts";
import type { LimitOptions } from "./shared/index.ts";

/** The options about limits with every default filled in. */
export interface SpendOptions {
  readonly limits: ReadonlyMap<string, Limit>;
  readonly spends: Readonly<Record<string, Spend<string, never, never>>>;
  readonly ledger: Ledger;
}

const anything: OptionRule = { wants: "anything", fits: () => true };
const LIMIT_OPTIONS: Readonly<Record<keyof LimitOptions, OptionRule>> = {
  max: anything,
  per: anything,
  scope: anything,
  timeZone: anything,
};

/** Reads the options about limits; throws if one is not what it must be. */
export function spendOptionsIn(options: Readonly<Record<string, unknown>>): SpendOptions {
  const given = objectIn("`limits`", options["limits"] ?? {}, "{ budget: { max: 100 } }");
  const limits = new Map(
    Object.entries(given).map(([name, limit]) => [name, limitIn(name, limit)] as const),
  );
  const spends = spendsIn(options["spends"]);
  const tools = Object.keys(spends);
  if (limits.size > 0 && tools.length === 0) {
    fail(
      "`limits` are of no use without `spends`, such as { pay: ({ args }) => ({ budget: args.amount }) }",
    );
  }
  if (limits.size === 0 && tools.length > 0) {
    fail("`spends` needs `limits`, such as { budget: { max: 100 } }");
  }
  return { limits, spends, ledger: ledgerIn(options["ledger"]) };
}

function limitIn(name: string, given: unknown): Limit {
  const where = `limit '${shown(name)}'`;
  const options = objectIn(where, given, '{ max: 100, per: "day" }');
  checkMembers(`createGuardrails: ${where}`, options, LIMIT_OPTIONS);
  const { max, per, scope, timeZone } = options;
  if (typeof max !== "number" || !Number.isFinite(max) || max < 0) {
    fail(`${where}: \`max\` must be a number of at least 0`);
  }
  if (per !== undefined && !PERIODS.some((known) => known === per)) {
    fail(
      `${where}: \`per\` must be one of ${PERIODS.join(", ")}; leave it out for a limit for ever`,
    );
  }
  const isScope = scope === undefined || typeof scope === "function" || SCOPES.includes(scope);
  if (!isScope)
    fail(`${where}: \`scope\` must be one of ${SCOPES.join(", ")}, or a function of the context`);
  if (timeZone !== undefined && per !== "day") {
    fail(`${where}: \`timeZone\` is for \`per: "day"\`; leave it out`);
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    fail(`${where}: the time zone is unknown. Pass a name such as "Europe/Berlin"`);
  }
  return limitOf(name, options as unknown as LimitOptions);
}

const SCOPES: readonly unknown[] = ["conversation", "user", "global"];

function spendsIn(given: unknown): SpendOptions["spends"] {
  const by = objectIn("`spends`", given ?? {}, "{ pay: ({ args }) => ({ budget: args.amount }) }");
  for (const [tool, spend] of Object.entries(by)) {
    const { reserve, settle } = Object(spend) as Readonly<Record<string, unknown>>;
    if (typeof spend === "function") continue;
    if (typeof reserve === "function" && typeof settle === "function") continue;
    fail(`\`spends\` of '${shown(tool)}' must be a function, or { reserve, settle }`);
  }
  return { ...by } as never;
}

const METHODS = ["reserve", "end", "totals", "open"] as const;

function ledgerIn(given: unknown): Ledger {
  if (given === undefined) return memoryLedger();
  const ledger = Object(given) as Readonly<Record<string, unknown>>;
  if (METHODS.every((method) => typeof ledger[method] === "function")) return given as Ledger;
  return fail("`ledger` must be a ledger, such as memoryLedger() or sqliteLedger(database)");
}
