import { longForm, wordsOf } from "../schema/index.ts";
import type { Expectation, PathSegment } from "../shared/index.ts";

/** A full stop, or an empty line. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|no))[.!?](?=\s|$)|\r?\n\s*\n/i;
/** A control character that separates no words. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Returns the first sentence of a description, in one line and without its full stop. */
export function firstSentence(description: string): string {
  const text = description.trimStart().slice(0, 1_000);
  const end = SENTENCE_END.exec(text)?.index ?? text.length;
  return text.slice(0, end).replaceAll(CONTROLS, " ").replaceAll(/\s+/g, " ").trim();
}

/** What is said of a place besides what is expected there, ready to be shown. */
interface ShownNote {
  readonly usual: string | undefined;
  readonly about: string | undefined;
}

/** Writes what is expected with what its author says of it: `string, usually "Lima" (the city to fly to)`. */
export function writeNote(expected: string, { usual, about }: ShownNote): string {
  const value = usual === undefined ? expected : `${expected}, usually ${usual}`;
  return about === undefined ? value : `${value} (${about})`;
}

/** Words of a description that say nothing by themselves. */
const EMPTY = new Set(
  "a an the of for in to on by be is are as this that it its name value text string".split(" "),
);

/** Whether a sentence says more than the name of its field: "The name of the repository" adds nothing to `repo`. */
export function saysMore(sentence: string, path: readonly PathSegment[]): boolean {
  const known = new Set(wordsIn(path.join(" ")));
  return wordsIn(sentence).some((word) => !EMPTY.has(word) && !known.has(word));
}

function wordsIn(text: string): readonly string[] {
  return wordsOf(text).map((word) => longForm(word.replace(/(?<=..)s$/, "")));
}

/** Whether an expectation is the name of a type and no more. */
export function isBareType(expected: Expectation): boolean {
  switch (expected.kind) {
    case "anything":
    case "type":
      return true;
    case "number":
      return Object.keys(expected.limits).length === 0 && expected.multipleOf === undefined;
    case "string":
      return (
        Object.keys(expected.length).length === 0 &&
        expected.format === undefined &&
        expected.pattern === undefined
      );
    case "array":
      return (
        Object.keys(expected.count).length === 0 &&
        (expected.items === undefined || isBareType(expected.items))
      );
    case "object":
      return expected.fields.every(({ isOptional }) => isOptional);
    case "map":
      return isBareType(expected.values);
    case "either":
    case "branches":
      return expected.of.every(isBareType);
    default:
      return false;
  }
}
