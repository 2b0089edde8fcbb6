import { sentDigits } from "../arguments/index.ts";
import { type Finding, withoutHint } from "../shared/index.ts";

/**
 * Shows integers that are too long for a JavaScript number with the digits that were sent.
 *
 * Without the text of the arguments they are unknown, and a hint that repeats the number is dropped: it would be rounded.
 */
export function withSentDigits(finding: Finding, text: string | undefined): Finding {
  const { actual, hint, path } = finding;
  const value = actual?.value;
  if (typeof value !== "number" || !Number.isInteger(value) || Number.isSafeInteger(value))
    return finding;
  const digits = text === undefined ? undefined : sentDigits(text, path);
  const isSame = digits !== undefined && Number(digits) === value;
  const shown: Finding = isSame ? { ...finding, actual: { value, digits } } : finding;
  if (hint?.kind !== "use" || hint.echoes !== true) return shown;
  return isSame && hint.value === String(value)
    ? { ...shown, hint: { ...hint, value: digits } }
    : withoutHint(shown);
}
