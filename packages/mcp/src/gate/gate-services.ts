import type { Contract } from "@toolcontract/core";
import { contractFrom, isBoolean, oneOf, wholeFrom } from "@toolcontract/core/adapter";
import { type AttemptRuns, createAttemptRuns } from "./attempt-runs.ts";
import type { GateOptions, GateSettings } from "./gate-options.ts";
import { createModelTurns, type ModelTurns } from "./model-turns.ts";
import { createToolLists, type ToolLists } from "./tool-lists.ts";
import { type Check, checkOf } from "./verdict.ts";

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
