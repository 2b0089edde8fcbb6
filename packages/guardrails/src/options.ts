import { type StageLane, ToolContractError } from "@toolcontract/core";
import { nearestName } from "@toolcontract/core/adapter";
import type { AnyGuardrail, StateChange, TimeLimits } from "./attempt/index.ts";
import {
  type Classify,
  type Compensation,
  type Effect,
  type StateStore,
  TERMINAL_REASONS,
} from "./shared/index.ts";

/** The options of `createGuardrails` with every default filled in. */
export interface ResolvedOptions {
  readonly guardrails: readonly AnyGuardrail[];
  readonly store: StateStore<unknown> | undefined;
  readonly effects: Readonly<Record<string, Effect>>;
  readonly budgets: Readonly<Record<StageLane, number>>;
  readonly locks: Readonly<Record<string, readonly string[]>>;
  readonly concurrency: "serial" | "optimistic";
  readonly compensate: Readonly<Record<string, Compensation<never, never>>>;
  readonly stateChanges: Readonly<Record<string, StateChange>>;
  readonly dryRuns: readonly string[];
  readonly classify: Classify | undefined;
  readonly clock: () => number;
  readonly timeLimits: TimeLimits;
}

const BUDGETS: ResolvedOptions["budgets"] = { generation: 2, guardrail: 2, outcome: 1 };
const TIME_LIMITS: TimeLimits = { guardrail: 5_000, tool: 60_000, effect: 30_000 };
const EFFECTS: readonly Effect[] = ["none", "state", "idempotent", "compensable", "irreversible"];

const NAMES: readonly (keyof ResolvedOptions)[] = [
  "guardrails",
  "store",
  "effects",
  "budgets",
  "locks",
  "concurrency",
  "compensate",
  "stateChanges",
  "dryRuns",
  "classify",
  "clock",
  "timeLimits",
];

/** Fills in the defaults; throws if something is missing, unknown or of the wrong type. */
export function resolveOptions(given: unknown): ResolvedOptions {
  const options = objectIn("the options", given, "{ guardrails: [ … ] }");
  const unknown = Object.keys(options).find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    const near = nearestName(unknown, NAMES);
    fail(
      `unknown option '${shown(unknown)}'. ${near === undefined ? `The options are ${NAMES.join(", ")}` : `Did you mean '${near}'?`}`,
    );
  }
  const guardrails = options["guardrails"] ?? [];
  if (!Array.isArray(guardrails)) {
    fail('`guardrails` must be an array, such as [{ name: "known_sku", check: ({ args }) => … }]');
  }
  const resolved: ResolvedOptions = {
    guardrails: guardrails as readonly AnyGuardrail[],
    store: storeIn(options["store"]),
    effects: objectIn(
      "`effects`",
      options["effects"] ?? {},
      '{ add_item: "compensable" }',
    ) as never,
    budgets: { ...BUDGETS, ...numbersIn("budgets", options["budgets"], BUDGETS, 0) },
    locks: objectIn("`locks`", options["locks"] ?? {}, '{ add_item: ["cart", "stock"] }') as never,
    concurrency: (options["concurrency"] ?? "serial") as never,
    compensate: functionsIn("compensate", options["compensate"]) as never,
    stateChanges: functionsIn("stateChanges", options["stateChanges"]) as never,
    dryRuns: (options["dryRuns"] ?? []) as never,
    classify: functionIn("classify", options["classify"]) as never,
    clock: (functionIn("clock", options["clock"]) ?? Date.now) as never,
    timeLimits: {
      ...TIME_LIMITS,
      ...numbersIn("timeLimits", options["timeLimits"], TIME_LIMITS, 1),
    },
  };
  checkEffects(resolved);
  checkUndoing(resolved);
  checkLocks(resolved);
  checkGuardrails(resolved);
  return resolved;
}

/** The tools that the options name, which the host must have. */
export function namedTools(options: ResolvedOptions): readonly string[] {
  const { effects, locks, compensate, stateChanges, dryRuns, guardrails } = options;
  return [
    ...new Set([
      ...[effects, locks, compensate, stateChanges].flatMap((by) => Object.keys(by)),
      ...dryRuns,
      ...guardrails.flatMap(({ tools = [] }) => tools),
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

function checkEffects({ effects, dryRuns, concurrency }: ResolvedOptions): void {
  for (const [tool, effect] of Object.entries(effects)) {
    if (EFFECTS.includes(effect)) continue;
    fail(`the effect of '${shown(tool)}' must be one of ${EFFECTS.join(", ")}`);
  }
  if (!isListOfNames(dryRuns)) fail('`dryRuns` must be an array of tool names, such as ["pay"]');
  if (concurrency !== "serial" && concurrency !== "optimistic") {
    fail('`concurrency` must be "serial" or "optimistic"');
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

function checkGuardrails(options: ResolvedOptions): void {
  const names = new Set<string>();
  for (const [index, guardrail] of options.guardrails.entries()) {
    const given = objectIn(`guardrails[${index}]`, guardrail, '{ name: "known_sku", check }');
    const { name } = given;
    if (typeof name !== "string" || name.trim() === "") {
      fail(`guardrails[${index}] needs a name, such as { name: "known_sku", … }`);
    }
    if (names.has(name)) {
      fail(`two guardrails are called '${shown(name)}'. Their names must differ`);
    }
    names.add(name);
    checkGuardrail(`guardrail '${shown(name)}'`, given, options);
  }
}

function checkGuardrail(
  where: string,
  given: Readonly<Record<string, unknown>>,
  { effects, dryRuns, store }: ResolvedOptions,
): void {
  const { check, tools, stage = "validate", needs, hint, reason } = given;
  const kind = given["class"];
  if (typeof check !== "function") fail(`${where} needs a function check({ args, state })`);
  if (tools !== undefined && !isListOfNames(tools)) {
    fail(`${where}: \`tools\` must be an array of tool names, such as ["add_item"]`);
  }
  if (stage !== "validate" && stage !== "commit") {
    fail(`${where}: \`stage\` must be "validate" or "commit"`);
  }
  if (needs !== undefined && needs !== "args" && needs !== "state") {
    fail(`${where}: \`needs\` must be "args" or "state"`);
  }
  if (needs === "state" && !store) fail(`${where} needs the state, and there is no \`store\``);
  if (needs !== undefined && stage === "commit") {
    fail(`${where}: \`needs\` is for guardrails of the stage "validate"; leave it out`);
  }
  if (hint !== undefined && typeof hint !== "string") fail(`${where}: \`hint\` must be a string`);
  checkClass(where, kind, reason);
  if (stage !== "commit" || tools === undefined) return;
  for (const tool of tools) {
    const effect = effectOf(tool, effects);
    if ((effect !== undefined && effect !== "irreversible") || dryRuns.includes(tool)) continue;
    const what = effect === undefined ? "has no declared effect" : "is irreversible";
    fail(
      `${where} runs at commit, and '${shown(tool)}' ${what}, so it could not be undone. Declare ${
        effect === undefined ? `effects: { ${shown(tool)}: "compensable" }` : "a dry run"
      }, or check before it runs`,
    );
  }
}

function checkClass(where: string, kind: unknown, reason: unknown): void {
  if (kind === undefined || kind === "recoverable_guardrail") {
    if (reason === undefined) return;
    fail(`${where}: only a terminal guardrail has a reason; add class: "terminal_guardrail"`);
  }
  if (kind !== "terminal_guardrail") {
    fail(`${where}: \`class\` must be "recoverable_guardrail" or "terminal_guardrail"`);
  }
  if (TERMINAL_REASONS.some((known) => known === reason)) return;
  fail(`${where} is terminal and needs a reason: ${TERMINAL_REASONS.join(", ")}`);
}

function storeIn(given: unknown): StateStore<unknown> | undefined {
  if (given === undefined) return undefined;
  const { begin } = Object(given) as { readonly begin?: unknown };
  if (typeof begin === "function") return given as StateStore<unknown>;
  return fail("`store` must be a StateStore, such as slotStore({ cart: { items: [] } })");
}

function objectIn(
  what: string,
  given: unknown,
  example: string,
): Readonly<Record<string, unknown>> {
  if (typeof given === "object" && given !== null && !Array.isArray(given)) {
    return given as Readonly<Record<string, unknown>>;
  }
  return fail(`${what} must be an object, such as ${example}`);
}

function functionsIn(name: string, given: unknown): Readonly<Record<string, unknown>> {
  const by = objectIn(`\`${name}\``, given ?? {}, "{ add_item: ({ args, result }) => … }");
  for (const [tool, value] of Object.entries(by)) {
    if (typeof value !== "function") fail(`\`${name}\` of '${shown(tool)}' must be a function`);
  }
  return by;
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
  }
  return numbers as Readonly<Record<string, number>>;
}

function isWholeFrom(least: number, value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

function isListOfNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function shown(name: string): string {
  return name.slice(0, 64);
}

const fail: (what: string) => never = (what) => {
  throw new ToolContractError(`createGuardrails: ${what}.`);
};
