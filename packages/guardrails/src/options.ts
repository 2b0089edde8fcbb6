import type { StageLane } from "@toolcontract/core/stage";
import type { AttemptStore } from "@toolcontract/core";
import {
  type OptionRule,
  checkMembers,
  isAttemptStore,
  nearestName,
} from "@toolcontract/core/adapter";
import type { AnyGuardrail, Engine, PolicyOptions, TimeLimits } from "./transaction/index.ts";
import { checkCommit, checkGuardrails } from "./check-guardrails.ts";
import type { GrantOptions } from "./grants/index.ts";
import { type SpendOptions, spendOptionsIn } from "./spend-options.ts";
import { fail, isListOfNames, objectIn, shown } from "./option-faults.ts";
import {
  type Classify,
  type Effect,
  type StateStore,
  registerTerminalReasons,
} from "./shared/index.ts";

/** The options of `createGuardrails` with every default filled in. */
export interface ResolvedOptions extends PolicyOptions, SpendOptions {
  readonly budgets: Readonly<Record<StageLane | "run", number>>;
  readonly classify: Classify | undefined;
  readonly clock: () => number;
  readonly timeLimits: TimeLimits;
  readonly grants: GrantOptions;
  readonly onGuardrailError: Engine["onGuardrailError"];
  readonly records: AttemptStore | undefined;
  readonly terminalReasons: readonly string[];
  readonly tools: readonly string[] | undefined;
}

const BUDGETS: ResolvedOptions["budgets"] = {
  generation: 2,
  guardrail: 2,
  outcome: 1,
  run: Number.MAX_SAFE_INTEGER,
};
const TIME_LIMITS: TimeLimits = { guardrail: 5_000, tool: 60_000, effect: 30_000, store: 10_000 };
/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const EFFECTS: readonly Effect[] = ["none", "state", "idempotent", "compensable", "irreversible"];

/** What an option must be is checked below, where the error can show what to pass. */
const anything: OptionRule = { wants: "anything", fits: () => true };

const GUARDRAIL_OPTIONS: Readonly<Record<keyof ResolvedOptions, OptionRule>> = {
  guardrails: anything,
  tools: anything,
  store: anything,
  effects: anything,
  budgets: anything,
  locks: anything,
  compensate: anything,
  stateChanges: anything,
  classify: anything,
  clock: anything,
  limits: anything,
  spends: anything,
  ledger: anything,
  grants: anything,
  onGuardrailError: anything,
  timeLimits: anything,
  records: anything,
  terminalReasons: anything,
};

/** Fills in the defaults; throws if something is missing, unknown or of the wrong type. */
export function resolveOptions(given: unknown): ResolvedOptions {
  const options = objectIn("the options", given, "{ guardrails: [ … ] }");
  checkMembers("createGuardrails", options, GUARDRAIL_OPTIONS);
  const guardrails = options["guardrails"] ?? [];
  if (!Array.isArray(guardrails)) {
    fail('`guardrails` must be an array, such as [{ name: "known_sku", check: ({ args }) => … }]');
  }
  const terminalReasons = reasonsIn(options["terminalReasons"]);
  registerTerminalReasons(terminalReasons);
  const resolved: ResolvedOptions = {
    guardrails: guardrails as readonly AnyGuardrail[],
    store: storeIn(options["store"]),
    // A copy: what is checked here must hold for every call.
    effects: {
      ...objectIn("`effects`", options["effects"] ?? {}, '{ add_item: "compensable" }'),
    } as never,
    budgets: { ...BUDGETS, ...numbersIn("budgets", options["budgets"], BUDGETS, 0) },
    locks: objectIn("`locks`", options["locks"] ?? {}, '{ add_item: ["cart", "stock"] }') as never,
    compensate: functionsIn("compensate", options["compensate"]) as never,
    stateChanges: functionsIn("stateChanges", options["stateChanges"]) as never,
    classify: functionIn("classify", options["classify"]) as never,
    clock: (functionIn("clock", options["clock"]) ?? Date.now) as never,
    timeLimits: {
      ...TIME_LIMITS,
      ...numbersIn("timeLimits", options["timeLimits"], TIME_LIMITS, 1),
    },
    ...spendOptionsIn(options),
    grants: grantsIn(options["grants"]),
    onGuardrailError: functionIn("onGuardrailError", options["onGuardrailError"]) as never,
    records: recordsIn(options["records"]),
    terminalReasons,
    tools: toolsIn(options["tools"]),
  };
  checkEffects(resolved);
  checkUndoing(resolved);
  checkLocks(resolved);
  checkGuardrails(resolved);
  checkCommit(resolved.tools ?? namedTools(resolved), resolved);
  if (resolved.tools) checkNames(namedTools(resolved), resolved.tools);
  return resolved;
}

/** The tools that the options name, which the host must have. */
export function namedTools(options: ResolvedOptions): readonly string[] {
  const { effects, locks, compensate, stateChanges, spends, guardrails } = options;
  return [
    ...new Set([
      ...[effects, locks, compensate, stateChanges, spends].flatMap((by) => Object.keys(by)),
      ...guardrails.flatMap(({ tools = [], watches = [] }) => [...tools, ...watches]),
    ]),
  ];
}

/** Throws if the host lacks a tool that the options name. */
export function checkNames(named: readonly string[], names: readonly string[]): void {
  const missing = named.find((name) => !names.includes(name));
  if (missing === undefined) return;
  const near = nearestName(missing, names);
  const known = names.length === 0 ? "The host has no tools" : `Its tools are ${names.join(", ")}`;
  fail(
    `the host has no tool '${shown(missing)}'. ${near === undefined ? known : `Did you mean '${near}'?`}`,
  );
}

function checkEffects({ effects }: ResolvedOptions): void {
  for (const [tool, effect] of Object.entries(effects)) {
    if (EFFECTS.includes(effect)) continue;
    fail(`the effect of '${shown(tool)}' must be one of ${EFFECTS.join(", ")}`);
  }
}

/** Throws for a function that would never be called. */
function checkUndoing({ effects, store, stateChanges, compensate }: ResolvedOptions): void {
  for (const tool of Object.keys(stateChanges)) {
    if (!store) fail("`stateChanges` needs a `store`, such as slotStore({ … })");
    if (effectOf(tool, effects) !== "none") continue;
    fail(
      `\`stateChanges\` changes the state for '${shown(tool)}', whose effect is none. Declare effects: { ${shown(tool)}: "state" }`,
    );
  }
  for (const tool of Object.keys(compensate)) {
    const effect = effectOf(tool, effects);
    if (effect === "compensable") continue;
    const what =
      effect === undefined ? "which has no declared effect" : `whose effect is ${effect}`;
    fail(
      `\`compensate\` undoes '${shown(tool)}', ${what}. Declare effects: { ${shown(tool)}: "compensable" }`,
    );
  }
}

function effectOf(tool: string, effects: ResolvedOptions["effects"]): Effect | undefined {
  return Object.hasOwn(effects, tool) ? effects[tool] : undefined;
}

function checkLocks({ locks, store }: ResolvedOptions): void {
  for (const [tool, slots] of Object.entries(locks)) {
    if (!isListOfNames(slots)) {
      fail(`the locks of '${shown(tool)}' must be an array of slots, such as ["cart"]`);
    }
    if (!store) fail("`locks` needs a `store`, such as slotStore({ … })");
    if (slots.length > 0 && !store?.slots) {
      fail(
        "`locks`: this store has no slots of its own, so its attempts never overlap; leave `locks` out",
      );
    }
    const missing = slots.find((slot) => store?.slots?.includes(slot) !== true);
    if (missing !== undefined) {
      fail(
        `the locks of '${shown(tool)}' name '${shown(missing)}', which is no slot of the store. Its slots are ${store?.slots?.join(", ")}`,
      );
    }
  }
}

function storeIn(given: unknown): StateStore<unknown> | undefined {
  if (given === undefined) return undefined;
  const { begin } = Object(given) as { readonly begin?: unknown };
  if (typeof begin === "function") return given as StateStore<unknown>;
  return fail("`store` must be a StateStore, such as slotStore({ cart: { items: [] } })");
}

function functionsIn(name: string, given: unknown): Readonly<Record<string, unknown>> {
  const by = objectIn(`\`${name}\``, given ?? {}, "{ add_item: ({ args, result }) => … }");
  for (const [tool, value] of Object.entries(by)) {
    if (typeof value !== "function") fail(`\`${name}\` of '${shown(tool)}' must be a function`);
  }
  return by;
}

function grantsIn(given: unknown): GrantOptions {
  const grants = objectIn("`grants`", given ?? {}, "{ secret, store }");
  const { secret } = grants;
  const isSecret = typeof secret === "string" || secret instanceof Uint8Array;
  if (secret === undefined || (isSecret && secret.length > 0)) return grants;
  return fail("`grants.secret` must be a string or bytes, such as 32 random ones");
}

function toolsIn(given: unknown): readonly string[] | undefined {
  if (given === undefined || (isListOfNames(given) && given.length > 0)) return given;
  return fail('`tools` must be an array of the names of the host\'s tools, such as ["add_item"]');
}

function recordsIn(given: unknown): AttemptStore | undefined {
  if (given === undefined || isAttemptStore(given)) return given;
  return fail("`records` must be a store of attempts, such as sqliteAttempts(database)");
}

const REASON = /^[a-z][a-z0-9_]{0,63}$/;

function reasonsIn(given: unknown = []): readonly string[] {
  if (isListOfNames(given) && given.every((reason) => REASON.test(reason))) return [...given];
  return fail(
    '`terminalReasons` must be an array of names of lower-case letters, digits and _, such as ["account_frozen"]',
  );
}

function functionIn(name: string, given: unknown): unknown {
  if (given === undefined || typeof given === "function") return given;
  return fail(`\`${name}\` must be a function`);
}

function numbersIn(
  name: string,
  given: unknown,
  defaults: object,
  least: number,
): Readonly<Record<string, number>> {
  const numbers = objectIn(`\`${name}\``, given ?? {}, JSON.stringify(defaults));
  for (const [key, value] of Object.entries(numbers)) {
    if (!Object.hasOwn(defaults, key)) {
      fail(`\`${name}\` has no '${shown(key)}'. It takes ${Object.keys(defaults).join(", ")}`);
    }
    if (!isWholeFrom(least, value)) {
      fail(`\`${name}.${key}\` must be a whole number, at least ${least}`);
    }
    if (name === "timeLimits" && value > LONGEST_TIMER_MS) {
      fail(`\`${name}.${key}\` must be at most ${LONGEST_TIMER_MS} milliseconds`);
    }
  }
  return numbers as Readonly<Record<string, number>>;
}

function isWholeFrom(least: number, value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}
