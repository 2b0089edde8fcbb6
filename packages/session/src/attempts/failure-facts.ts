import { readMember } from "@toolcontract/core/adapter";
import { partsOf, textsOf } from "./failure-parts.ts";

/** What a thrown value says of itself, from wherever an SDK put it. */
export interface FailureFacts {
  /** The HTTP status: 400 to 599. */
  readonly status: number | undefined;
  /** The provider's codes and types as letters and digits in lower case: `insufficientquota`. */
  readonly codes: ReadonlySet<string>;
  /** Names and classes of the errors, written alike. */
  readonly names: ReadonlySet<string>;
  /** All messages, without links: those to a page on billing stand below any rate limit. */
  readonly text: string;
}

const STATUS_MEMBERS = ["status", "statusCode", "httpStatusCode", "code"];
const CODE_MEMBERS = ["code", "type", "status", "reason", "errorCode", "rateLimitReason", "__type"];

const LINK = /https?:\/\/\S*/g;
const STATUS_WORDS =
  /^\W*([45]\d\d)\b|\b(?:status|status code|http|http error)[:\s]{1,3}([45]\d\d)\b/i;

/** Reads the facts of anything thrown; never throws. */
export function readFacts(thrown: unknown): FailureFacts {
  const parts = partsOf(thrown);
  const text = parts.flatMap(textsOf).join("\n").replaceAll(LINK, " ");
  return {
    status: parts.flatMap(statusesOf)[0] ?? statusIn(text),
    codes: new Set(parts.flatMap(codesOf)),
    names: new Set(parts.flatMap(namesOf)),
    text,
  };
}

/** The names of one error. */
export function namesOf(part: unknown): readonly string[] {
  if (typeof part === "string") return [];
  return wordsIn([readMember(part, "name"), readMember(readMember(part, "constructor"), "name")]);
}

function codesOf(part: unknown): readonly string[] {
  return typeof part === "string"
    ? []
    : wordsIn(CODE_MEMBERS.map((name) => readMember(part, name)));
}

function wordsIn(values: readonly unknown[]): readonly string[] {
  return values
    .filter((value) => typeof value === "string")
    .map((value) =>
      value
        .slice(0, 64)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, ""),
    );
}

function statusesOf(part: unknown): readonly number[] {
  if (typeof part === "string") return [];
  return STATUS_MEMBERS.map((name) => readMember(part, name))
    .filter((value) => typeof value === "number" || typeof value === "string")
    .map(Number)
    .filter((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

function statusIn(text: string): number | undefined {
  const [, first, named] = STATUS_WORDS.exec(text) ?? [];
  const digits = first ?? named;
  return digits === undefined ? undefined : Number(digits);
}
