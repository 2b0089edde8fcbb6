import { readMember } from "@toolcontract/explain/adapter";
import { firstOf, partsOf } from "./thrown.ts";

/** What a thrown value says of itself, from wherever an SDK put it. */
export interface FailureFacts {
  /** The HTTP status: 400 to 599. */
  readonly status: number | undefined;
  /** Codes and types as letters and digits in lower case: `insufficientquota`. */
  readonly codes: ReadonlySet<string>;
  /** Names and classes of the errors, written alike. */
  readonly names: ReadonlySet<string>;
  /** All messages, without links: those to a page on billing stand below any rate limit. */
  readonly text: string;
}

/** Error messages are short; response bodies may be web pages. */
const MAX_TEXT = 4_096;

const TEXT_MEMBERS = ["message", "responseBody", "detail", "statusText"];
const CODE_MEMBERS = ["code", "type", "status", "reason", "errorCode", "rateLimitReason", "__type"];
const STATUS_MEMBERS = ["status", "statusCode", "httpStatusCode"];

const LINK = /https?:\/\/\S*/g;
const STATUS_WORDS =
  /^\W*([45]\d\d)\b|\b(?:status|status code|http|http error)[:\s]{1,3}([45]\d\d)\b/i;

/** Reads the facts of anything thrown; never throws. */
export function failureFacts(thrown: unknown): FailureFacts {
  const parts = partsOf(thrown);
  const text = parts.flatMap(textsOf).join("\n").replaceAll(LINK, " ");
  return {
    status: firstOf(parts, writtenStatus) ?? statusIn(text),
    codes: new Set(parts.flatMap((part) => wordsOfMembers(part, CODE_MEMBERS))),
    names: new Set(parts.flatMap(namesOf)),
    text,
  };
}

/** What one error, body or string says in words. */
export function textsOf(part: unknown): readonly string[] {
  const texts =
    typeof part === "string" ? [part] : TEXT_MEMBERS.map((name) => readMember(part, name));
  return texts
    .filter((text): text is string => typeof text === "string" && text.trim() !== "")
    .map((text) => text.slice(0, MAX_TEXT));
}

/** The name of one error and that of its class, as letters and digits in lower case. */
export function namesOf(part: unknown): readonly string[] {
  if (typeof part === "string") return [];
  return [
    ...wordsOfMembers(part, ["name"]),
    ...wordsOfMembers(readMember(part, "constructor"), ["name"]),
  ];
}

/** The HTTP status of an error that one error or answer has as a number. */
export function statusOf(part: unknown): number | undefined {
  return firstOf(STATUS_MEMBERS, (member) => errorStatus(readMember(part, member)));
}

/** The same, also as a string of digits, and as a `code`. */
function writtenStatus(part: unknown): number | undefined {
  if (typeof part === "string") return undefined;
  return firstOf([...STATUS_MEMBERS, "code"], (member) => {
    const value = readMember(part, member);
    return errorStatus(typeof value === "string" ? Number(value) : value);
  });
}

function errorStatus(value: unknown): number | undefined {
  return isErrorStatus(value) ? value : undefined;
}

/** Whether a value is the HTTP status of an error: 400 to 599. */
export function isErrorStatus(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 400 && value < 600;
}

function wordsOfMembers(part: unknown, members: readonly string[]): readonly string[] {
  if (typeof part === "string") return [];
  return members
    .map((member) => readMember(part, member))
    .filter((value) => typeof value === "string")
    .map((value) =>
      value
        .slice(0, 64)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, ""),
    );
}

function statusIn(text: string): number | undefined {
  const [, first, named] = STATUS_WORDS.exec(text) ?? [];
  const digits = first ?? named;
  return digits === undefined ? undefined : Number(digits);
}
