import type { AttemptStore, Ledger } from "@toolcontract/core";
import {
  type OptionRule,
  type OptionTable,
  checkMembers,
  filled,
  isAttemptStore,
  isBoolean,
  isFunction,
  isObject,
  oneOf,
  wholeFrom,
} from "@toolcontract/core/adapter";
import type { StageLane } from "@toolcontract/core/stage";
import { checkContradictions, checkNames, namedTools } from "./check-contradictions.ts";
import { fail, shownOption } from "./option-faults.ts";
import { GRANT_ROWS, type GrantOptions } from "./grants/index.ts";
import { LIMIT_ROWS, type SpendingLimit, spendingLimit, memoryLedger } from "./ledger/index.ts";
import {
  type Classify,
  EFFECTS,
  type LimitOptions,
  namesRule,
  registerTerminalReasons,
  withMethods,
} from "./shared/index.ts";
import type { Engine, PolicyOptions, TimeLimits } from "./transaction/index.ts";

/** The options of `createGuardrails` with every default filled in. */
export interface ResolvedOptions extends PolicyOptions {
  readonly budgets: Readonly<Record<StageLane | "run", number>>;
  readonly classify: Classify | undefined;
  readonly clock: () => number;
  readonly timeLimits: TimeLimits;
  readonly limits: ReadonlyMap<string, SpendingLimit>;
  readonly ledger: Ledger;
  readonly grants: GrantOptions;
  readonly onGuardrailError: Engine["onGuardrailError"];
  readonly records: AttemptStore | undefined;
  readonly keepResults: boolean;
  readonly terminalReasons: readonly string[];
  readonly tools: readonly string[] | undefined;
}

const BUDGETS: OptionTable = {
  generation: { ...wholeFrom(0), fallback: 2 },
  guardrail: { ...wholeFrom(0), fallback: 2 },
  outcome: { ...wholeFrom(0), fallback: 1 },
  run: { ...wholeFrom(0), fallback: Number.MAX_SAFE_INTEGER },
};

/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const wholeMilliseconds: OptionRule = {
  wants: `a whole number of milliseconds, from 1 to ${LONGEST_TIMER_MS}`,
  fits: (value) => wholeFrom(1).fits(value) && Number(value) <= LONGEST_TIMER_MS,
};
const TIME_LIMITS: OptionTable = {
  guardrail: { ...wholeMilliseconds, fallback: 5_000 },
  tool: { ...wholeMilliseconds, fallback: 60_000 },
  effect: { ...wholeMilliseconds, fallback: 30_000 },
  store: { ...wholeMilliseconds, fallback: 10_000 },
};

/** An object by names; the example says what is in it. */
const by = (example: string, each: OptionRule): OptionRule & { readonly fallback: object } => ({
  wants: `an object, such as ${example}`,
  fits: isObject.fits,
  each,
  fallback: {},
});
const bag = (members: OptionTable): OptionRule & { readonly fallback: object } => ({
  ...isObject,
  members,
  fallback: {},
});

const spend: OptionRule = {
  wants: "a function, or { reserve, settle }",
  fits: (value) => isFunction.fits(value) || withMethods("", "reserve", "settle").fits(value),
};
const REASON = /^[a-z][a-z0-9_]{0,63}$/;

/** What each option is; {@link checkContradictions} looks at several at once. */
const GUARDRAILS_OPTIONS: OptionTable<keyof ResolvedOptions> = {
  guardrails: {
    wants: 'an array, such as [{ name: "known_sku", check: ({ args }) => … }]',
    fits: Array.isArray,
    each: { wants: 'an object, such as { name: "known_sku", check }', fits: isObject.fits },
    fallback: [],
  },
  tools: {
    ...namesRule("the names of the host's tools", "add_item"),
    fits: (value) => namesRule("", "").fits(value) && (value as readonly string[]).length > 0,
  },
  store: withMethods("a StateStore, such as slotStore({ cart: { items: [] } })", "begin"),
  effects: by('{ add_item: "compensable" }', oneOf(...EFFECTS)),
  budgets: bag(BUDGETS),
  locks: by('{ add_item: ["cart", "stock"] }', namesRule("slots", "cart")),
  compensate: by("{ add_item: ({ args, result }) => … }", isFunction),
  stateChanges: by("{ add_item: ({ args, result }) => … }", isFunction),
  classify: isFunction,
  clock: isFunction,
  limits: by("{ budget: { max: 100 } }", {
    wants: 'an object, such as { max: 100, per: "day" }',
    fits: isObject.fits,
    members: LIMIT_ROWS,
  }),
  spends: by("{ pay: ({ args }) => ({ budget: args.amount }) }", spend),
  ledger: withMethods(
    "a ledger, such as memoryLedger() or sqliteLedger(database)",
    "reserve",
    "end",
    "totals",
    "open",
  ),
  grants: bag(GRANT_ROWS),
  onGuardrailError: isFunction,
  timeLimits: bag(TIME_LIMITS),
  records: { wants: "a store of attempts, such as sqliteAttempts(database)", fits: isAttemptStore },
  keepResults: { ...isBoolean, fallback: false },
  terminalReasons: {
    wants: 'an array of names of lower-case letters, digits and _, such as ["account_frozen"]',
    fits: (value) =>
      namesRule("", "").fits(value) &&
      (value as readonly string[]).every((one) => REASON.test(one)),
    fallback: [],
  },
};

/** Fills in the defaults; throws if something is missing, unknown, of the wrong type, or contradicts another option. */
export function resolveOptions(given: unknown): ResolvedOptions {
  if (!isObject.fits(given)) {
    fail("the options must be an object, such as { guardrails: [ … ] }");
  }
  checkMembers("createGuardrails", given as object, GUARDRAILS_OPTIONS);
  const options = filled(GUARDRAILS_OPTIONS, given as Partial<ResolvedOptions>) as ResolvedOptions;
  if (options.keepResults && options.records === undefined) {
    fail("`keepResults` says what `records` keeps, and there are none: pass `records` too");
  }
  registerTerminalReasons(options.terminalReasons);
  const limits = Object.entries(options.limits as unknown as Record<string, LimitOptions>);
  for (const [name, { per, timeZone }] of limits) {
    if (timeZone === undefined || per === "day") continue;
    fail(`limit '${shownOption(name)}': \`timeZone\` is for \`per: "day"\`; leave it out`);
  }
  const resolved: ResolvedOptions = {
    ...options,
    clock: options.clock ?? Date.now,
    // Copies: what is checked here must hold for every call.
    effects: { ...options.effects },
    spends: { ...options.spends },
    budgets: filled(BUDGETS, options.budgets),
    timeLimits: filled(TIME_LIMITS, options.timeLimits),
    limits: new Map(limits.map(([name, limit]) => [name, spendingLimit(name, limit)])),
    ledger: options.ledger ?? memoryLedger(),
  };
  checkContradictions(resolved);
  if (resolved.tools) checkNames(namedTools(resolved), resolved.tools);
  return resolved;
}
