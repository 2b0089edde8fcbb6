import type { ValidationError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { followHints, valueAt } from "@toolcontract/corrections";
import { isSame } from "./same-json.ts";

/**
 * How a hint that removes its fault may still be wrong in meaning:
 *
 * - `narrows`: of what was sent, the call keeps a part
 * - `widens`: what held the call back is gone
 * - `invents`: the call has a value that nobody sent
 * - `splits`: one thing becomes several calls
 */
export type Harm = "narrows" | "widens" | "invents" | "splits";

export const HARMS: readonly Harm[] = ["narrows", "widens", "invents", "splits"];

/** A call that was refused, and what was meant, if it is known. */
export interface RefusedCall {
  readonly sent: unknown;
  readonly errors: readonly ValidationError[];
  readonly meant?: unknown;
}

/** The names of all fields in a value. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [plain(name), ...namesIn(one)]);
}

/** Finds what the hints of a refused call do to its meaning; these rules know nothing of those that write hints. */
export function harmsOf(call: RefusedCall): readonly Harm[] {
  const { sent, errors, meant } = call;
  const followed = isRecord(sent) ? followHints(sent, errors) : undefined;
  if (meant !== undefined && followed !== undefined && isSame(followed, meant)) return [];
  const found = new Set(errors.flatMap((error) => harmOf(error, call) ?? []));
  const known = new Set([...wordsOf(sent), ...namesIn(sent), ...wordsOf(meant)]);
  if (followed !== undefined && wordsOf(followed).some((word) => !isDerived(word, known)))
    found.add("invents");
  return [...found];
}

/** Why a model makes the call, and under which number: without these the call is the same. */
const ASIDE = /reason|explan|thought|request|approv|descr|justif|purpose|call_?id/i;
/** What a model writes beside the arguments if it sends a whole call as arguments. */
const ENVELOPE = /^(?:name|tool|function|type)$/;
/** What holds a text that is one value however many lines it has. */
const CONTENT = /content|text|body|code|sql|command|query$|str$|message|keys|[^s]s$/i;

function harmOf({ fieldPath, hint = "" }: ValidationError, call: RefusedCall): Harm | undefined {
  const { sent, meant } = call;
  const value = valueAt(sent, fieldPath);
  const name = fieldPath.slice(fieldPath.lastIndexOf("/") + 1);
  if (hint === "leave it out") {
    const isEmpty = value === null || value === "" || (typeof value === "string" && !value.trim());
    const isWanted = meant !== undefined && valueAt(meant, fieldPath) !== undefined;
    const isSaid = isRecord(sent) && Object.values(sent).filter((one) => one === value).length > 1;
    const isOfEnvelope = isRecord(sent) && isRecord(sent["arguments"]) && ENVELOPE.test(name);
    const isNeedless = isEmpty || isSaid || isOfEnvelope || ASIDE.test(name) || isNullWord(value);
    return isWanted || (meant === undefined && !isNeedless) ? "widens" : undefined;
  }
  if (hint.endsWith("call the tool once for each")) {
    const isOfItem = /\/\d+(?:\/|$)/.test(fieldPath);
    return meant !== undefined || isOfItem || CONTENT.test(name) ? "splits" : undefined;
  }
  const [, literal] = /^use (.*)$/s.exec(hint) ?? [];
  if (literal === undefined) return undefined;
  if (Array.isArray(value) && value.length > 1)
    return wordsOf(value).every((word) => literal.toLowerCase().includes(word))
      ? undefined
      : "narrows";
  return typeof value === "string" && losesWord(value, literal) ? "narrows" : undefined;
}

/** Whether a word before the literal is lost, such as `soft` of `soft_delete`. */
function losesWord(value: string, literal: string): boolean {
  const split = (text: string): readonly string[] =>
    text
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter(Boolean);
  const [sent, wanted] = [split(value), split(literal)];
  const [first = ""] = wanted;
  return (
    wanted.length > 0 && sent.indexOf(first) > 0 && wanted.every((word) => sent.includes(word))
  );
}

function isNullWord(value: unknown): boolean {
  return typeof value === "string" && /^(?:null|none|undefined|nil|n\/a)$/i.test(value.trim());
}

/** The scalars in a value, each in lower case without separators. */
function wordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf);
  if (isRecord(value)) return Object.values(value).flatMap(wordsOf);
  return value === undefined
    ? []
    : [plain(typeof value === "string" ? value : JSON.stringify(value))];
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Words for a flag, which stand for each other. */
const FLAGS = /^(?:true|false|yes|no|on|off|0|1)$/;

/** Whether a word is one that was sent, a part of it, or differs from it by a few letters. */
function isDerived(word: string, known: ReadonlySet<string>): boolean {
  if (word.length < 3 || known.has(word)) return true;
  const isFlag = FLAGS.test(word);
  return [...known].some(
    (one) =>
      (isFlag && FLAGS.test(one)) ||
      one.includes(word) ||
      word.includes(one) ||
      sharedLetters(one, word) >= 0.75 * Math.max(one.length, word.length),
  );
}

function sharedLetters(a: string, b: string): number {
  const left = b.split("");
  return a.split("").filter((letter) => {
    const at = left.indexOf(letter);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  }).length;
}
