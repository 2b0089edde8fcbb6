/** What a tool does to the world, as in `@toolcontract/guardrails`. */
type EffectName = "none" | "state" | "idempotent" | "compensable" | "irreversible";

/** What rules and Cedar policies have in common. */
interface PolicyConfig {
  readonly name: string;
  /**
   * The tools that it applies to.
   *
   * @default all of them
   */
  readonly tools?: readonly string[];
  /**
   * `"validate"`: before the tool runs. `"commit"`: after it ran, on the staged state.
   *
   * @default "validate"
   */
  readonly stage?: "validate" | "commit";
}

/** A condition in CEL, with the words for calls that it does not allow. */
export interface RuleConfig extends PolicyConfig {
  /** True for the calls that may run. Either this or `deny`. */
  readonly allow?: string;
  /** True for the calls that may not. */
  readonly deny?: string;
  /** What is wrong with a call that is not allowed. */
  readonly message: string;
  /** What to do instead. */
  readonly hint?: string;
  /** Where in the arguments: a JSON Pointer. */
  readonly fieldPath?: string;
  /** Closes the tool for this reason; without one, the model can correct the call. */
  readonly reason?: "missing_credentials" | "dependency_unavailable" | "unsupported_capability";
}

/** A file with Cedar policies, and what is in it. */
export interface CedarConfig extends PolicyConfig {
  /** The file's absolute path. */
  readonly path: string;
  /** The file's text. */
  readonly policies: string;
  /** The text of the file with their schema. */
  readonly schema?: string;
}

/** What the files set below `tools.guardrails`, for `guardrailsFrom` of `@toolcontract/guardrails/config`. */
export interface GuardrailsConfig {
  /** How many retries each lane grants. */
  readonly budgets?: Readonly<Partial<Record<"generation" | "guardrail" | "outcome", number>>>;
  /** What each tool does to the world. */
  readonly effects?: Readonly<Record<string, EffectName>>;
  /** The slots that each tool touches. */
  readonly locks?: Readonly<Record<string, readonly string[]>>;
  /** Conditions in CEL, those of the highest layer first. */
  readonly rules?: readonly RuleConfig[];
  /** Policies in Cedar, those of the highest layer first. */
  readonly cedar?: readonly CedarConfig[];
}
