import type { Compensation, Effect, MaybePromise, StateStore } from "../shared/index.ts";
import type { Spend } from "../ledger/index.ts";
import type { AnyGuardrail } from "./read-verdict.ts";

/** What a tool's result does to the state, for tools that cannot stage it themselves, such as those of an MCP server. */
type StateChange<State = never> = (change: {
  readonly tool: string;
  readonly args: never;
  readonly result: never;
  readonly state: State;
}) => MaybePromise<void>;

/** What the engine knows about tools. */
export interface PolicyOptions {
  readonly store: StateStore<unknown> | undefined;
  readonly guardrails: readonly AnyGuardrail[];
  readonly effects: Readonly<Record<string, Effect>>;
  readonly locks: Readonly<Record<string, readonly string[]>>;
  readonly compensate: Readonly<Record<string, Compensation<never, never>>>;
  readonly stateChanges: Readonly<Record<string, StateChange>>;
  readonly spends: Readonly<Record<string, Spend<string, never, never>>>;
}

/**
 * How a transaction gets at the state: not at all, read-only, under locks, or by a check at the commit whose loser fails
 * (`unlocked`: nothing is known about the tool, so it does not wait).
 */
type Access = "none" | "view" | "locked" | "unlocked";

/** What is known about one tool. */
export interface ToolPolicy {
  readonly effect: Effect;
  /** Whether its effect was declared. */
  readonly isDeclared: boolean;
  /** Whether anything is decided by its arguments, or done with them afterwards. */
  readonly isJudged: boolean;
  readonly access: Access;
  /** The slots it may touch; all of them if undefined. */
  readonly slots: readonly string[] | undefined;
  /** The slots that its guardrails were seen to read beside them: they are locked with them from then on. */
  readonly reads: Set<string>;
  /** Its guardrails before execution. */
  readonly validate: readonly AnyGuardrail[];
  /** Its guardrails after execution. */
  readonly commit: readonly AnyGuardrail[];
  /** Its guardrails on a result that stays. */
  readonly output: readonly AnyGuardrail[];
  readonly compensation: Compensation<never, never> | undefined;
  readonly stateChange: StateChange | undefined;
}

const MAX_TOOLS = 1_000;

/** Returns what is known about each tool. */
export function createPolicies(options: PolicyOptions): (tool: string) => ToolPolicy {
  const known = new Map<string, ToolPolicy>();
  return (tool) => {
    const found = known.get(tool);
    if (found) return found;
    const policy = policyOf(tool, options);
    if (known.size < MAX_TOOLS) known.set(tool, policy);
    return policy;
  };
}

function policyOf(tool: string, options: PolicyOptions): ToolPolicy {
  const declared = own(options.effects, tool);
  const effect = declared ?? "irreversible";
  const applies = ({ tools }: AnyGuardrail): boolean => tools?.includes(tool) ?? true;
  const guardrails = options.guardrails.filter(applies);
  return {
    effect,
    isDeclared: declared !== undefined,
    isJudged:
      guardrails.length > 0 ||
      [options.compensate, options.stateChanges].some((by) => Object.hasOwn(by, tool)),
    access: accessOf(tool, effect, options),
    slots: own(options.locks, tool),
    reads: new Set(),
    validate: guardrails.filter(({ stage = "validate" }) => stage === "validate"),
    commit: guardrails.filter(({ stage }) => stage === "commit"),
    output: guardrails.filter(({ stage }) => stage === "output"),
    compensation: own(options.compensate, tool),
    stateChange: own(options.stateChanges, tool),
  };
}

function accessOf(tool: string, effect: Effect, options: PolicyOptions): Access {
  const { store } = options;
  if (!store) return "none";
  if (effect === "none") return "view";
  const { effects, locks, compensate, stateChanges, spends } = options;
  const isKnown = [effects, locks, compensate, stateChanges, spends].some((by) =>
    Object.hasOwn(by, tool),
  );
  const isNamed = options.guardrails.some(({ tools }) => tools?.includes(tool));
  if (isKnown || isNamed) return "locked";
  return store.slots === undefined ? "none" : "unlocked";
}

function own<T>(by: Readonly<Record<string, T>>, tool: string): T | undefined {
  return Object.hasOwn(by, tool) ? by[tool] : undefined;
}
