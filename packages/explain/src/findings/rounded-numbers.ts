import { sentDigits } from "../arguments/index.ts";
import type { MaskedValue } from "../sanitize/index.ts";
import { type Finding, jsonEqual, withoutHint } from "../shared/index.ts";

/**
 * Shows numbers with the digits that were sent: parsing rounds what is too long for a JavaScript number, and takes `3.10`
 * for `3.1`. A hint repeats no other digits.
 */
export function withSentDigits(finding: Finding, text: string | undefined): Finding {
  const { actual, hint, path } = finding;
  const value = actual?.value;
  if (typeof value !== "number") return finding;
  const isQuoted = hint?.kind === "use" && typeof hint.value === "string";
  const isKept = Number.isSafeInteger(value) || (!isQuoted && !Number.isInteger(value));
  if (isKept && !isQuoted && !listsText(finding)) return finding;
  const sent = text === undefined ? undefined : sentDigits(text, path);
  const digits = sent !== undefined && Number(sent) === value ? sent : undefined;
  const shown: Finding =
    digits === undefined || digits === String(value)
      ? finding
      : { ...finding, actual: { value, digits } };
  return withDigitsInHint(shown, value, digits);
}

function withDigitsInHint(finding: Finding, value: number, digits: string | undefined): Finding {
  const { hint, expected } = finding;
  const listed = expected?.kind === "values" ? expected.values : undefined;
  if (listed && digits !== undefined && listed.includes(digits))
    return { ...finding, hint: { kind: "use", value: digits } };
  if (hint?.kind !== "use" || typeof hint.value !== "string") return finding;
  if (listed) return isSameText(hint.value, value, digits) ? finding : withoutHint(finding);
  if (hint.echoes !== true) return finding;
  if (digits !== undefined) return { ...finding, hint: { ...hint, value: digits } };
  if (Number.isSafeInteger(value)) return finding;
  // A number that was rounded is not the one that was meant.
  return Number.isInteger(value) || !Number.isFinite(value)
    ? withoutHint(finding)
    : { ...finding, hint: { kind: "quote" } };
}

/** Whether a listed text is surely the number that was sent: `3.1` may have been `3.10`. */
function isSameText(text: string, value: number, digits: string | undefined): boolean {
  return Number.isSafeInteger(value) || text === digits;
}

function listsText({ code, expected, actual }: Finding): boolean {
  return (
    code === "VAL-008" &&
    expected?.kind === "values" &&
    expected.values.some((one) => typeof one === "string" && jsonEqual(Number(one), actual?.value))
  );
}

/** Replaces a rounded number by the digits that were sent, unless they are a secret. */
export function withDigits(
  number: MaskedValue,
  digits: string | undefined,
  mask: (text: string) => MaskedValue,
): MaskedValue {
  if (digits === undefined || number.kind !== "json" || number.changed) return number;
  const masked = mask(digits);
  return masked.changed
    ? masked
    : { ...number, text: digits, node: { kind: "literal", text: digits } };
}
