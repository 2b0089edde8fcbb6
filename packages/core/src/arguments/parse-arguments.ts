import type { Fault } from "../fault.ts";
import { cutOffFault, invalidJsonFault } from "./argument-fault.ts";
import { closeBrackets } from "./close-brackets.ts";
import { isCuttingFinishReason } from "./cutting-finish-reason.ts";
import { findRoot, type ClosedRoot } from "./find-root.ts";
import type { Repair } from "./repair-record.ts";
import { parseNative, repairText } from "./repair-text.ts";
import { JSON_HINTS, type JsonProblem } from "./scan-notes.ts";
import { skipSpace } from "./scan-string.ts";

/** How far the text pipeline may go, and what the host knows about the text. */
export interface ParseOptions {
  /** Mend syntax that has one clear reading. */
  readonly repairJson: boolean;
  /** Close brackets where only they are missing and the last token is complete. */
  readonly closeDangling: boolean;
  /** Why the provider ended the output, in its own words. */
  readonly finishReason?: string | undefined;
  /** The text from which the host made the arguments, where it parsed or completed them itself. */
  readonly rawText?: string | undefined;
}

/** The arguments as a value, or the one fault of their text. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly Repair[] }
  | { readonly ok: false; readonly fault: Fault; readonly repairs: readonly Repair[] };

const NO_REPAIRS: readonly Repair[] = Object.freeze([]);

/** Reads a call's arguments; a text that was cut or is malformed becomes a fault, never a value and never a throw. */
export function parseArguments(raw: unknown, options: ParseOptions): ParsedArguments {
  const { rawText, finishReason } = options;
  if (raw === undefined && rawText !== undefined) return parseText(rawText, options);
  if (rawText !== undefined && rawText !== raw && isCutText(rawText, finishReason))
    return cutOff(options, rawText);
  if (typeof raw === "string") return parseText(raw, options);
  // The host may have completed a value of which it does not show the text.
  if (rawText === undefined && isCuttingFinishReason(finishReason)) return cutOff(options);
  return accept(raw === undefined ? {} : raw);
}

function parseText(text: string, options: ParseOptions): ParsedArguments {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return parseMalformed(text, options);
  }
  return isCuttingFinishReason(options.finishReason) && !isFilled(value)
    ? cutOff(options, text)
    : accept(value);
}

function parseMalformed(text: string, options: ParseOptions): ParsedArguments {
  const isCut = isCuttingFinishReason(options.finishReason);
  if (text.trim() === "") return isCut ? cutOff(options, text) : accept({});
  const root = findRoot(text);
  // A cut cannot lie inside a root that is closed: only then is a fault of the text one of syntax.
  if (isCut && root.status !== "closed") return cutOff(options, text);
  switch (root.status) {
    case "cut": {
      const closed = options.closeDangling
        ? closeBrackets(text, root.scan, options.repairJson)
        : undefined;
      return closed === undefined ? cutOff(options, text) : accept(closed.value, closed.repairs);
    }
    case "invalid":
      return invalid(text, root.problem);
    case "closed": {
      const repaired = options.repairJson ? repairText(text, root) : undefined;
      if (isCut && !isFilled(repaired?.value)) return cutOff(options, text);
      // An empty object among words is part of the words.
      if (repaired?.repairs.some(({ step }) => step === "prose") && !isFilled(repaired.value)) {
        return invalid(text, { offset: skipSpace(text, 0), hint: JSON_HINTS.one });
      }
      return repaired === undefined
        ? invalid(text, findProblem(text, root))
        : accept(repaired.value, repaired.repairs);
    }
  }
}

/** Tells whether the text behind a value ends early, so that the value is not what the model meant. */
function isCutText(text: string, finishReason: string | undefined): boolean {
  const native = parseNative(text);
  const cut = isCuttingFinishReason(finishReason);
  if (native !== undefined) return cut && !isFilled(native.value);
  if (cut || text.trim() === "") return cut;
  const root = findRoot(text);
  return root.status === "cut" || (root.status === "invalid" && root.open === true);
}

/** Only a closed root with something in it shows that the cut came after it: `{}` may stand for nothing yet. */
function isFilled(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

/** Where and why a text with one closed root is no JSON. */
function findProblem(text: string, { start, scan }: ClosedRoot): JsonProblem {
  const { broken, odd } = scan.notes;
  if (broken !== undefined) return broken;
  const first = skipSpace(text, 0);
  if (first < start) return { offset: first, hint: JSON_HINTS.one };
  if (odd < 0) return { offset: skipSpace(text, scan.end), hint: JSON_HINTS.one };
  return { offset: odd, hint: JSON_HINTS.strict };
}

function accept(value: unknown, repairs: readonly Repair[] = NO_REPAIRS): ParsedArguments {
  return { ok: true, value, repairs };
}

function cutOff({ finishReason }: ParseOptions, text?: string): ParsedArguments {
  const fault = cutOffFault(text?.length, isCuttingFinishReason(finishReason));
  return { ok: false, fault, repairs: NO_REPAIRS };
}

function invalid(text: string, problem: JsonProblem): ParsedArguments {
  return { ok: false, fault: invalidJsonFault(text, problem), repairs: NO_REPAIRS };
}
