import type { Finding } from "../shared/index.ts";
import type { Sanitizer } from "../sanitize/index.ts";
import { statedForm } from "../schema/index.ts";
import {
  firstSentence,
  isBareType,
  saysMore,
  writeExpectation,
  writeNote,
} from "../words/index.ts";

const MAX_DESCRIPTION = 80;
const MAX_USUAL = 60;

/** Where a value was sent. */
type MaskedPlace = Parameters<Sanitizer["mask"]>[1];

/**
 * Writes what is expected with what the author says of the place, unless a hint or the message says more.
 *
 * @param words - What is expected, and the hint, ready to be shown.
 */
export function withNote(
  words: { readonly expected: string | undefined; readonly hint: string | undefined },
  { expected = { kind: "anything" }, note, reason, actual, hint }: Finding,
  sanitizer: Sanitizer,
  place: MaskedPlace,
): string | undefined {
  const isSaid = words.hint !== undefined && hint?.kind !== "send-null";
  if (note === undefined || reason !== undefined || isSaid) return words.expected;
  // Whoever sent a value does not want none.
  const isUseful = actual === undefined || note.usual?.value !== null;
  const usual = isUseful && note.usual && usualValue(note.usual.value, sanitizer, place);
  const description = note.description ?? "";
  // A value of another type may have the right meaning in the wrong form.
  const form = actual === undefined ? undefined : statedForm(description);
  const sentence =
    isBareType(expected) || form !== undefined ? firstSentence(form ?? description) : "";
  const about =
    sentence && saysMore(sentence, place.path)
      ? sanitizer.schemaWords(withoutSemicolons(sentence), MAX_DESCRIPTION)
      : undefined;
  if (!usual && about === undefined) return words.expected;
  return writeNote(words.expected ?? writeExpectation(expected), {
    usual: usual || undefined,
    about,
  });
}

/** In the compact style a semicolon ends a part, so that one inside would be written as an escape. */
export function withoutSemicolons(text: string): string {
  return text.replaceAll(/;(?= )/g, ",");
}

/** A default as a message shows it; undefined if it is long, or may be a secret. */
function usualValue(value: unknown, sanitizer: Sanitizer, place: MaskedPlace): string | undefined {
  const text = JSON.stringify(value);
  const isShown =
    text !== undefined && text.length <= MAX_USUAL && !sanitizer.mask(value, place).changed;
  return isShown ? sanitizer.schemaWords(text, MAX_USUAL) : undefined;
}
