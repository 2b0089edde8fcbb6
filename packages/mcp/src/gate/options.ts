import type { Contract } from "@toolcontract/core";
import {
  contractFrom,
  isBoolean,
  oneOf,
  wholeFrom,
  type WithContract,
} from "@toolcontract/core/adapter";
import { createToolLists, type ToolLists } from "./tool-lists.ts";
import {
  type AttemptRuns,
  createAttemptRuns,
  createModelTurns,
  type ModelTurns,
} from "./turns-and-runs.ts";
import { type Check, checkOf } from "./validation.ts";

/**
 * What happens to invalid calls: `"enforce"` answers them here, `"assist"` forwards them and rewrites the server's
 * rejection in the contract's words, `"audit"` only counts and logs them.
 */
export type GateMode = "enforce" | "assist" | "audit";

/** The gate's own options, beside those of the contract. */
export interface GateSettings {
  /** `"enforce"` by default. */
  readonly mode?: GateMode;
  /** Calls that many servers accept against their own schema (`"5"` for 5), and tools that they do not list: `"assist"` by default. */
  readonly soft?: "assist" | "reject" | "forward";
  /** Invalid calls of a tool with no attempts left: answered here by default. */
  readonly onExhausted?: "answer" | "forward";
  /** Tools whose calls are forwarded unchecked: `"off"` by name. */
  readonly tools?: Readonly<Record<string, "on" | "off">>;
  /** Whether a call is forwarded if its schema cannot be read: true by default. */
  readonly failOpen?: boolean;
  /** How long a call waits for its schema, in milliseconds; 5,000 by default. */
  readonly listTimeoutMs?: number;
  /** Attempts are forgotten after this many idle milliseconds; 600,000 by default. */
  readonly attemptWindowMs?: number;
  /** Rejections of a tool within this many milliseconds count as one attempt; 100 by default. */
  readonly coalesceMs?: number;
}

/** A contract, or the options for a new one, and the gate's own. */
export type GateOptions = WithContract<GateSettings>;

const SWITCHES = ["on", "off"];

const OWN = {
  mode: oneOf("enforce", "assist", "audit"),
  soft: oneOf("assist", "reject", "forward"),
  onExhausted: oneOf("answer", "forward"),
  tools: {
    wants: 'an object of "on" or "off" by tool name, such as { read_file: "off" }',
    fits: (value: unknown) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((one) => SWITCHES.includes(one as string)),
  },
  failOpen: isBoolean,
  listTimeoutMs: wholeFrom(0),
  attemptWindowMs: wholeFrom(0),
  coalesceMs: wholeFrom(0),
};

/** What the steps of one gate share. */
export interface GateServices {
  readonly contract: Contract;
  readonly settings: Required<Pick<GateSettings, "mode" | "soft" | "onExhausted" | "failOpen">> & {
    /** `soft` for tools that the server does not list; it may accept them all the same. */
    readonly onUnlisted: NonNullable<GateSettings["soft"]>;
  };
  /** Whether the user turned validation off for a tool. */
  readonly isOff: (name: string) => boolean;
  readonly check: Check;
  readonly lists: ToolLists;
  readonly turns: ModelTurns;
  readonly runs: AttemptRuns;
}

/**
 * Checks the options and creates the gate's services.
 *
 * @param where - The function that received the options, named in errors.
 * @param softOfTools - The default of `soft` for listed tools.
 */
export function createGateServices(
  options: GateOptions,
  where: string,
  softOfTools: NonNullable<GateSettings["soft"]> = "assist",
): GateServices {
  const contract = contractFrom(where, options, OWN);
  const { clock } = contract.settings;
  const { listTimeoutMs = 5_000, attemptWindowMs = 600_000, coalesceMs = 100 } = options;
  const { mode = "enforce", soft = softOfTools, onExhausted = "answer", failOpen = true } = options;
  const { soft: onUnlisted = "assist" } = options;
  const { tools: switches = {}, rules, redact, contract: given } = options;
  const isSynchronous = given === undefined && rules === undefined && redact === undefined;
  return {
    contract,
    settings: { mode, soft, onUnlisted, onExhausted, failOpen },
    isOff: (name) => Object.hasOwn(switches, name) && switches[name] === "off",
    check: checkOf(contract, isSynchronous),
    lists: createToolLists({ clock, listTimeoutMs }),
    turns: createModelTurns({ clock, coalesceMs }),
    runs: createAttemptRuns({ clock, attemptWindowMs }),
  };
}
