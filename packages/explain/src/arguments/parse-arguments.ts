import type { Finding } from "../shared/index.ts";
import { repeatedName } from "./repeated-names.ts";
import { type ClosedRoot, findRoot } from "./find-root.ts";
import { type FinishReason, isCuttingFinishReason, isWholeOutput } from "./finish-reason.ts";
import { inexactNumbers } from "./inexact-numbers.ts";
import { excerptAt, ruleOf } from "./json-problem.ts";
import { type Repair, closeBrackets, parseNative, proseAround, repairText } from "./repair.ts";
import { type JsonProblem, skipSpace } from "./scan-string.ts";
import { severalObjects } from "./several-objects.ts";

// Shorter text was hardly cut off for its length.
const LONG = 2_000;

/** What JavaScript and Python write for no value; JSON's own is `null`. */
const NOTHING_WORDS: ReadonlySet<string> = new Set(["undefined", "None"]);

const NO_REPAIRS: readonly Repair[] = Object.freeze([]);

/** What may be repaired, and what the host knows about the text. */
export interface ParseOptions {
  /** Repair syntax that has one clear reading. */
  readonly repairJson: boolean;
  /** Close brackets if nothing else is missing and the last token is complete. */
  readonly closeDangling: boolean;
  /** The provider's finish reason, verbatim. */
  readonly finishReason?: FinishReason;
  /** The model's text, if the host itself parsed or completed the arguments. */
  readonly rawText?: string | undefined;
  /** True for a call of free text, which is judged as it is: nothing in it says where it ends. */
  readonly isText?: boolean;
}

/** The arguments as a value, or what is wrong with their text. */
export type ParsedArguments =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly repairs: readonly Repair[];
      /** Numbers that are not what was sent: JavaScript cannot keep them. */
      readonly inexact?: readonly Finding[];
    }
  | {
      readonly ok: false;
      readonly finding: Finding;
      readonly repairs: readonly Repair[];
      /** True if nothing came, and the finish reason does not say that nothing is missing. */
      readonly isDoubted?: true;
    };

/** Parses a call's arguments; truncated or malformed text becomes a finding and never throws. */
export function parseArguments(raw: unknown, options: ParseOptions): ParsedArguments {
  const { rawText, finishReason, isText } = options;
  if (isText === true)
    return isWholeOutput(finishReason) ? acceptedArguments(raw) : cutOff(options, sent(raw));
  if (raw === undefined && rawText !== undefined) return parseText(rawText, options);
  if (rawText !== undefined && rawText !== raw && isCutText(rawText, finishReason))
    return cutOff(options, rawText);
  if (typeof raw === "string") return parseText(raw, options);
  // The host may have completed the value without passing the text.
  if (rawText === undefined && !isWholeOutput(finishReason)) {
    if (isCuttingFinishReason(finishReason) || !isFilled(raw)) return cutOff(options);
  }
  return acceptedArguments(raw === undefined ? {} : raw, NO_REPAIRS, rawText);
}

function parseText(text: string, options: ParseOptions): ParsedArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseMalformed(text, options);
  }
  if (isCuttingFinishReason(options.finishReason) && !isFilled(value)) return cutOff(options, text);
  const twice = repeatedName(text, value);
  return twice === undefined
    ? acceptedArguments(value, NO_REPAIRS, text)
    : invalidArguments(text, { offset: twice, rule: "twice" });
}

function parseMalformed(text: string, options: ParseOptions): ParsedArguments {
  const isCut = isCuttingFinishReason(options.finishReason);
  const nothing = readNothing(text, options);
  if (nothing !== undefined)
    return isWholeOutput(options.finishReason)
      ? acceptedArguments({}, nothing)
      : cutOff(options, text);
  const found = findRoot(text);
  const several = found.status === "cut" ? undefined : severalObjects(text);
  const root = several?.root ?? found;
  // A closed root was not cut off: only then is the fault one of syntax.
  if (isCut && root.status !== "closed") return cutOff(options, text);
  switch (root.status) {
    case "cut": {
      const closed = options.closeDangling
        ? closeBrackets(text, root.scan, options.repairJson)
        : undefined;
      return closed === undefined
        ? cutOff(options, text)
        : acceptedArguments(closed.value, closed.repairs, closed.json);
    }
    case "invalid":
      return invalidArguments(text, root.problem, several?.calls);
    case "closed": {
      const repaired = options.repairJson ? repairText(text, root) : undefined;
      if (isCut && !isFilled(repaired?.value)) return cutOff(options, text);
      return repaired === undefined
        ? invalidArguments(text, findProblem(text, root))
        : acceptedArguments(repaired.value, repaired.repairs, repaired.json);
    }
  }
}

/** The repairs of a string that means "no arguments"; undefined for any other string. */
function readNothing(text: string, { repairJson }: ParseOptions): readonly Repair[] | undefined {
  if (text.trim() === "") return NO_REPAIRS;
  if (!repairJson || !saysNothing(text)) return undefined;
  return [{ step: "empty", offset: 0, removed: text.length, inserted: 2 }];
}

function saysNothing(text: string): boolean {
  const words = text.trim();
  return words === "" || NOTHING_WORDS.has(words);
}

/** Whether the text of a value ends early, so that the value is not what the model meant. */
function isCutText(text: string, finishReason: FinishReason): boolean {
  const native = parseNative(text);
  const cut = isCuttingFinishReason(finishReason);
  if (native !== undefined) return cut && !isFilled(native.value);
  if (saysNothing(text)) return !isWholeOutput(finishReason);
  if (cut) return true;
  const root = findRoot(text);
  return root.status === "cut" || (root.status === "invalid" && root.open === true);
}

/** Whether a value has content. An empty `{}` of a cut-off output may be the host's placeholder. */
function isFilled(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    if (Array.isArray(value)) return value.length > 0;
    for (const key in value) if (Object.hasOwn(value, key)) return true;
    return false;
  } catch {
    // A host's proxy that throws.
    return true;
  }
}

/** Finds where and why a string with one closed root is not JSON. */
function findProblem(text: string, root: ClosedRoot): JsonProblem {
  const { start, scan } = root;
  const { broken, odd } = scan.notes;
  if (broken !== undefined) return broken;
  const prose = proseAround(text, root);
  if (prose !== undefined) return { offset: prose, rule: "only-json" };
  const first = skipSpace(text, 0);
  if (first < start) return { offset: first, rule: "one-object" };
  if (odd < 0) return { offset: skipSpace(text, scan.end), rule: "one-object" };
  return { offset: odd, rule: "strict" };
}

function acceptedArguments(
  value: unknown,
  repairs: readonly Repair[] = NO_REPAIRS,
  json: string = "",
): ParsedArguments {
  const inexact = inexactNumbers(json, value);
  return inexact.length > 0 ? { ok: true, value, repairs, inexact } : { ok: true, value, repairs };
}

function sent(raw: unknown): string | undefined {
  return typeof raw === "string" ? raw : undefined;
}

function cutOff({ finishReason, isText }: ParseOptions, text?: string): ParsedArguments {
  const hitLimit = isCuttingFinishReason(finishReason);
  const found = cutOffFinding(text?.length, hitLimit);
  const finding = isText === true ? { ...found, ...wordsOfText(found) } : found;
  const isEmpty = text === undefined || saysNothing(text);
  const isDoubted = isEmpty && !hitLimit;
  return { ok: false, finding, repairs: NO_REPAIRS, ...(isDoubted && { isDoubted }) };
}

/** What a finding about cut arguments says of free text in place of JSON. */
function wordsOfText({ hint }: Finding): Pick<Finding, "expected" | "hint"> {
  const expected = { kind: "words", text: "the whole text" } as const;
  if (hint?.kind !== "send-whole") return { expected };
  return { expected, hint: { kind: "words", text: "send the text to its end" } };
}

function invalidArguments(text: string, problem: JsonProblem, calls = 1): ParsedArguments {
  const finding = invalidJson(text, problem);
  return {
    ok: false,
    finding: calls > 1 ? { ...finding, hint: { kind: "one-call-each", count: calls } } : finding,
    repairs: NO_REPAIRS,
  };
}

/** The finding for text that is not JSON (VAL-004): the place with a little text around it, and the rule it breaks. */
function invalidJson(text: string, problem: JsonProblem): Finding {
  const { offset, brackets } = problem;
  const near = excerptAt(text, offset);
  const lineStart = offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
  const line = countLineBreaks(text, lineStart) + 1;
  return {
    code: "VAL-004",
    path: [],
    reason: {
      kind: "invalid-json",
      offset,
      line,
      column: offset - lineStart + 1,
      ...(near !== undefined && { near }),
    },
    expected: { kind: "one-json-object" },
    hint: {
      kind: "json",
      rule: ruleOf(problem, text),
      ...(brackets !== undefined && { brackets }),
    },
  };
}

function countLineBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

/** The finding for arguments that end early (VAL-011); `length` is that of their text, if known. */
function cutOffFinding(length: number | undefined, hitLimit: boolean): Finding {
  return {
    code: "VAL-011",
    path: [],
    reason: { kind: "cut-off", after: length },
    expected: { kind: "complete-json" },
    hint: { kind: hitLimit || (length ?? 0) > LONG ? "send-shorter" : "send-whole" },
  };
}
