import type { Hint, Limits, ValidationError } from "../shared/index.ts";
import type { MessageFacts } from "./derive-message.ts";
import { writeHint } from "./write-hint.ts";
import { readPreviewCount, readPreviewType, splitList } from "./preview-text.ts";

const TYPE = "(?:(?:[a-z][a-z0-9-]* )?string|number|integer|boolean|array|object|null)";
const TYPES = new RegExp(`^${TYPE}(?:(?:, | or )${TYPE})*(?![\\w-])`);
const LENGTHS =
  /(?:from (\d{1,15}) to (\d{1,15})|at least (\d{1,15})|at most (\d{1,15})) (item|character)/g;

const LISTED = 3;
const LIST = /^(one of |only |object with |array of one of )(.+?)(?: and (\d{1,9}) more)?$/;

/** Reads the facts of an error that is only there as strings: one of a message, or one that a host brings. */
export function readFacts({
  expectedValue = "",
  actualValue,
}: Pick<ValidationError, "expectedValue" | "actualValue">): MessageFacts {
  const types = TYPES.exec(expectedValue)?.[0] ?? literalType(expectedValue);
  const items = readLimits(expectedValue, "item");
  const characters = readLimits(expectedValue, "character");
  return {
    ...(types !== undefined && { types }),
    ...(expectedValue.includes("multiple of") && { stepped: true }),
    ...(items && { items }),
    ...(characters && { characters }),
    got: { type: readPreviewType(actualValue), length: readPreviewCount(actualValue) },
  };
}

/** The type of the first value that is listed; the others are mostly of the same. */
function literalType(expected: string): string | undefined {
  return readPreviewType(expected.replace(/^one of /, ""));
}

function readLimits(expected: string, unit: "item" | "character"): Limits | undefined {
  const found = [...expected.matchAll(LENGTHS)].findLast((match) => match[5] === unit);
  if (!found) return undefined;
  const [, from, to, least, most] = found;
  const [min, max] = [from ?? least, to ?? most];
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  };
}

/** Shows only the first values of a long list in the words of somebody else, and how many follow. */
export function shortenWords(expected: string): string {
  const [, lead = "", list = "", hidden = "0"] = LIST.exec(expected) ?? [];
  const values = splitList(list);
  if (values.length <= LISTED + 1) return expected;
  const more = values.length - LISTED + Number(hidden);
  return `${lead}${values.slice(0, LISTED).join(", ")} and ${more} more`;
}

/** Reads a hint that is only there as words; core's own advice to send less is recognized. */
export function readHint(text: string): Hint {
  const shorter: Hint = { kind: "send-shorter" };
  return text === writeHint(shorter) ? shorter : { kind: "words", text };
}
