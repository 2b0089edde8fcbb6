import { ToolContractError } from "@toolcontract/core";
import { type OptionRule, type OptionTable, isFunction, oneOf } from "@toolcontract/core/adapter";
import { type Guardrail, TERMINAL_REASONS, type Violation, isTerminalReason } from "./guardrail.ts";

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** A list of names, such as those of tools. */
export function namesRule(kind: string, example: string): OptionRule {
  return {
    wants: `an array of ${kind}, such as ["${example}"]`,
    fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  };
}

/** An object with these functions. */
export function withMethods(wants: string, ...names: readonly string[]): OptionRule {
  const isThere = (value: unknown, name: string): boolean =>
    typeof (Object(value) as Readonly<Record<string, unknown>>)[name] === "function";
  return { wants, fits: (value) => names.every((name) => isThere(value, name)) };
}

/** What decides whether another call may be right. */
const CLASS_ROWS: OptionTable<"class" | "reason"> = {
  class: oneOf("recoverable_guardrail", "terminal_guardrail"),
  reason: {
    wants: `${TERMINAL_REASONS.join(", ")}, or one of your own in \`terminalReasons\``,
    fits: isTerminalReason,
  },
};

const string: OptionRule = { wants: "a string", fits: (value) => typeof value === "string" };
const toolNamesRow = namesRule("tool names", "add_item");

/** What a violation is. */
export const VIOLATION_ROWS: OptionTable<keyof Violation> = {
  message: {
    wants: "a sentence that tells the model what is wrong",
    fits: isText,
    isRequired: true,
  },
  fieldPath: string,
  hint: string,
  ...CLASS_ROWS,
};

/** What a guardrail is. */
export const GUARDRAIL_ROWS: OptionTable<keyof Guardrail> = {
  name: { wants: 'a name, such as "known_sku"', fits: isText, isRequired: true },
  tools: {
    wants: `${toolNamesRow.wants}; leave it out for all tools`,
    // Without any it would never be asked.
    fits: (value) => toolNamesRow.fits(value) && (value as readonly string[]).length > 0,
  },
  watches: namesRule("tool names", "read_secret"),
  stage: oneOf("validate", "commit", "output"),
  needs: oneOf("args", "state"),
  hint: string,
  ...CLASS_ROWS,
  check: { ...isFunction, wants: "a function check({ args, state })", isRequired: true },
};

/** Throws if a class and a reason contradict each other. */
export function checkClass(where: string, given: object): void {
  const { class: kind, reason } = given as Readonly<Record<string, unknown>>;
  const isTerminal = kind === "terminal_guardrail";
  if (isTerminal === (reason !== undefined)) return;
  throw new ToolContractError(
    isTerminal
      ? `${where} is terminal and needs a reason: ${CLASS_ROWS.reason.wants}.`
      : `${where}: only a terminal guardrail has a reason; add class: "terminal_guardrail".`,
  );
}
