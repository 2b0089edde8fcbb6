/** `"error"`: certainly wrong. `"warning"`: models get it wrong. `"info"`: worth knowing. */
export type LintSeverity = "error" | "warning" | "info";

/** A change of a JSON document. */
export type Edit =
  /** Sets a member, new or not. */
  | { readonly kind: "set"; readonly pointer: string; readonly value: unknown }
  | { readonly kind: "remove"; readonly pointer: string }
  /** Gives a member another key, in its place. */
  | { readonly kind: "rename"; readonly pointer: string; readonly key: string }
  /** Moves a member, as it is written, into the object beside it; that is made if it is not there. */
  | { readonly kind: "move"; readonly pointer: string; readonly into: string };

/** One mistake in a list of tools. */
export interface LintFinding {
  /** The name of the rule. */
  readonly rule: string;
  readonly severity: LintSeverity;
  /** The tool's name. */
  readonly tool: string;
  /** JSON Pointer into the tool as it was declared. */
  readonly path: string;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}
