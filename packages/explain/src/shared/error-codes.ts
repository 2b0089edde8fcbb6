import { ToolContractError } from "./tool-contract-error.ts";

/**
 * Core's stable error codes and what they mean.
 *
 * @example
 * ```ts
 * ERROR_CODES["VAL-001"]; // "Missing required field"
 * ```
 */
export const ERROR_CODES = {
  "VAL-001": "Required field missing",
  "VAL-002": "Type mismatch",
  "VAL-003": "Constraint violation",
  "VAL-004": "Invalid JSON syntax",
  "VAL-005": "Unknown field",
  "VAL-006": "Array length violation",
  "VAL-007": "Pattern mismatch",
  "VAL-008": "Invalid enum value",
  "VAL-009": "String length violation",
  "VAL-010": "Format violation",
  "VAL-011": "Arguments cut off",
  "VAL-012": "Unknown tool",
  "VAL-013": "No variant matches",
  "VAL-014": "Fields conflict or depend on each other",
  "VAL-015": "Duplicate items",
  "VAL-016": "Rule failed",
} as const;

/**
 * The error codes and what they mean.
 *
 * A package adds its own by module augmentation, and registers them with `registerErrorCodes`.
 */
export interface ErrorCodeMap extends Readonly<Record<keyof typeof ERROR_CODES, string>> {}

/** A stable error code: a prefix, a hyphen and three digits, such as `VAL-001`. */
export type ErrorCode = keyof ErrorCodeMap;

/** The error codes of one package. */
export interface ErrorCodeSet {
  /** Two to eight capital letters that no other package uses, such as `GRD`. */
  readonly prefix: string;
  /** What each code means, by code. */
  readonly codes: Readonly<Record<string, string>>;
  /** The URL of a code's documentation; `{code}` stands for the code. */
  readonly page: string;
}

const OWN_PREFIX = "VAL";
const PREFIX = /^[A-Z]{2,8}$/;
const CODE = /^[A-Z]{2,8}-\d{3}$/;

const REGISTER = Symbol.for("toolcontract.error-codes");

/** By prefix. One for all copies of core in a process: a package may register with another copy than an adapter's. */
function registered(): Map<string, ErrorCodeSet> {
  const shared = globalThis as { [REGISTER]?: Map<string, ErrorCodeSet> };
  return (shared[REGISTER] ??= new Map());
}

/**
 * Registers the error codes of a package, so that its rules and stages may report them.
 *
 * Registering the same codes again changes nothing; codes never change meaning.
 *
 * @throws ToolContractError if the prefix is taken, or a code does not have it.
 */
export function registerErrorCodes(set: ErrorCodeSet): void {
  const { prefix, codes, page } = checkSet(set);
  const known = registered().get(prefix);
  for (const [code, meaning] of Object.entries(codes)) {
    if (!CODE.test(code) || !code.startsWith(`${prefix}-`)) {
      throw new ToolContractError(
        `registerErrorCodes: '${code.slice(0, 64)}' must be the prefix, a hyphen and three digits, such as ${prefix}-001.`,
      );
    }
    if (typeof meaning !== "string" || meaning.trim() === "") {
      throw new ToolContractError(
        `registerErrorCodes: say what ${code} means, such as { "${code}": "Budget spent" }.`,
      );
    }
    const before = known?.codes[code];
    if (before !== undefined && before !== meaning) {
      throw new ToolContractError(
        `registerErrorCodes: ${code} already means '${before}'. Use another prefix, or a code that is free.`,
      );
    }
  }
  registered().set(prefix, { prefix, codes: { ...known?.codes, ...codes }, page });
}

function checkSet(set: ErrorCodeSet): ErrorCodeSet {
  const prefix: unknown = set?.prefix;
  if (typeof prefix !== "string" || !PREFIX.test(prefix) || prefix === OWN_PREFIX) {
    throw new ToolContractError(
      `registerErrorCodes: \`prefix\` must be two to eight capital letters other than ${OWN_PREFIX}, which is core's.`,
    );
  }
  if (typeof set.codes !== "object" || set.codes === null) {
    throw new ToolContractError(
      `registerErrorCodes: pass what each code means as \`codes\`, such as { "${prefix}-001": "Budget spent" }.`,
    );
  }
  if (typeof set.page !== "string" || !set.page.includes("{code}")) {
    throw new ToolContractError(
      "registerErrorCodes: `page` must be the URL of the codes' documentation with {code} in it.",
    );
  }
  return set;
}

/** Checks whether a string is an error code: core's, or one that a package registered. */
export function isErrorCode(text: string): text is ErrorCode {
  return meaningOf(text) !== undefined;
}

/** Whether a string may be a package's code, registered here or not: messages come from other processes too. */
export function looksLikeErrorCode(text: string): text is ErrorCode {
  return (
    CODE.test(text) && (!text.startsWith(`${OWN_PREFIX}-`) || Object.hasOwn(ERROR_CODES, text))
  );
}

/**
 * What an error code means; undefined for an unknown one.
 *
 * @example
 * ```ts
 * meaningOf("VAL-008"); // "Invalid enum value"
 * ```
 * @see docs/message-format.md
 */
export function meaningOf(code: string): string | undefined {
  if (Object.hasOwn(ERROR_CODES, code)) return ERROR_CODES[code as keyof typeof ERROR_CODES];
  return setOf(code)?.codes[code];
}

/** The URL of a registered code's documentation; undefined for core's codes and unknown ones. */
export function errorCodePage(code: string): string | undefined {
  const set = setOf(code);
  return set?.codes[code] === undefined ? undefined : set.page.replaceAll("{code}", code);
}

function setOf(code: string): ErrorCodeSet | undefined {
  return CODE.test(code) ? registered().get(code.slice(0, code.indexOf("-"))) : undefined;
}
