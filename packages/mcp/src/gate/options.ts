import {
  type WithContract,
  contractFrom,
  isBoolean,
  oneOf,
  wholeFrom,
} from "@toolcontract/core/adapter";
import type { Contract } from "@toolcontract/core";
import {
  type AttemptRuns,
  type ModelTurns,
  createAttemptRuns,
  createModelTurns,
} from "./turns-and-runs.ts";
import { type ToolLists, createToolLists } from "./tool-lists.ts";
import { type Check, checkOf } from "./validation.ts";

/** What happens to calls that the contract finds invalid: answered here, forwarded with the server's refusal put in the contract's words, or only counted and logged. */
export type GateMode = "enforce" | "assist" | "audit";

/** The gate's own options, beside those of the contract. */
export interface GateSettings {
  /** `"enforce"` by default. */
  readonly mode?: GateMode;
  /** Calls that some servers take although their schema does not (`"5"` for 5), and names that they do not list: `"assist"` by default. */
  readonly soft?: "assist" | "reject" | "forward";
  /** Calls of a tool whose attempts are spent: answered here (default), or forwarded. */
  readonly onExhausted?: "answer" | "forward";
  /** Tools whose calls the gate leaves alone, by name. */
  readonly tools?: Readonly<Record<string, "on" | "off">>;
  /** A call whose schema could not be read goes on (default), or is refused. */
  readonly failOpen?: boolean;
  /** How long a call may wait for its schema, in milliseconds; 5,000 by default. */
  readonly listTimeoutMs?: number;
  /** After how many idle milliseconds attempts are forgotten; 600,000 by default. */
  readonly attemptWindowMs?: number;
  /** Calls of one tool this close together, in milliseconds, are one attempt; 100 by default. */
  readonly coalesceMs?: number;
}

/** A contract, or the options of a new one, and the gate's own. */
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

/** What the stages of one gate share. */
export interface GateServices {
  readonly contract: Contract;
  readonly settings: Required<Pick<GateSettings, "mode" | "soft" | "onExhausted" | "failOpen">> & {
    /** What `soft` is for names that the server does not list; it may take them. */
    readonly onUnlisted: NonNullable<GateSettings["soft"]>;
  };
  /** Tells whether the user wants a tool's calls left alone. */
  readonly isOff: (name: string) => boolean;
  readonly check: Check;
  readonly lists: ToolLists;
  readonly turns: ModelTurns;
  readonly runs: AttemptRuns;
}

/**
 * Checks the options and puts a gate's parts together; `where` is the function that got them, `softOfTools` what `soft`
 * is by default for the tools of a list.
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
  const isPlain = given === undefined && rules === undefined && redact === undefined;
  return {
    contract,
    settings: { mode, soft, onUnlisted, onExhausted, failOpen },
    isOff: (name) => Object.hasOwn(switches, name) && switches[name] === "off",
    check: checkOf(contract, isPlain),
    lists: createToolLists({ clock, listTimeoutMs }),
    turns: createModelTurns({ clock, coalesceMs }),
    runs: createAttemptRuns({ clock, attemptWindowMs }),
  };
}
