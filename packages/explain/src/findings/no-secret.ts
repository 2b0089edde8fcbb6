import type { Expectation, Finding } from "../shared/index.ts";
import { wordsOf } from "../schema/index.ts";

const WORD = /^[A-Za-z]{1,12}$/;
const NUMBER = /^-?\d{1,6}$/;
const TRUTH = /^\s*(?:true|false|yes|no|on|off|none|null|0|1)\s*$/i;
/** The last words of names whose value is a secret, also if it is a number; before other words they only say of what. */
const SECRETS: ReadonlySet<string> = new Set(
  (
    "pin otp code codes password passwords passwd pwd pass passphrase secret secrets token tokens key keys credential " +
    "credentials cvv cvc ssn auth authorization cookie signature pan iban"
  ).split(" "),
);

/**
 * Whether what was sent cannot be a secret, whatever the name of its field: a flag, a number or a listed value belongs there
 * (`verify_jwt`, `secret_rotation_days`), and a short word or number was sent.
 */
export function saysNoSecret({ expected, actual, path }: Finding): boolean {
  const value = actual?.value;
  if (expected === undefined || value === undefined) return false;
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value !== "string" && typeof value !== "number") return false;
  const text = String(value);
  if (isOnly(expected, (one) => one.kind === "type")) return TRUTH.test(text);
  const name = path.findLast((segment) => typeof segment === "string") ?? "";
  const isSecret = SECRETS.has(wordsOf(name).at(-1) ?? "");
  if (isOnly(expected, (one) => one.kind === "type" || one.kind === "number"))
    return TRUTH.test(text) || (NUMBER.test(text) && !isSecret);
  return isOnly(expected, isShortList) && WORD.test(text);
}

/** Whether each alternative of an expectation is of some kinds. */
function isOnly(expected: Expectation, isOf: (one: Expectation) => boolean): boolean {
  return expected.kind === "either" || expected.kind === "branches"
    ? expected.of.every((one) => isOnly(one, isOf))
    : isOf(expected);
}

/** Whether only listed words, numbers and flags are taken. */
function isShortList(expected: Expectation): boolean {
  if (expected.kind === "values")
    return expected.values.every((one) => typeof one !== "string" || one.length <= 40);
  return expected.kind === "type" || expected.kind === "number";
}
