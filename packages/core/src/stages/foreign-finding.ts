import { isRecord } from "../explain/json-type.ts";
import type { Finding } from "../fault.ts";
import { isValuePreview } from "../message/value-preview.ts";
import { REDACTED } from "../sanitize/redacted.ts";
import { toFinding } from "./run-rules.ts";

const MAX_JSON = 65_536;
const MAX_PREVIEW = 2_000;

/** What stands for a value that cannot be quoted. */
const FIXED_WORD = /^\((?:unreadable|date|binary|bigint|function|symbol)\)$/;

/** A finding as errors are built from it, with what is known of who worded it. */
export interface BuildableFinding extends Finding {
  /** True where somebody else built the error, so that none of its texts is trusted. */
  readonly foreign?: boolean;
  /** True where the value is already written as messages show it. */
  readonly preview?: boolean;
}

/** Takes an error of another maker apart again, so that it is built like any other; never throws. */
export function foreignFinding(error: unknown): BuildableFinding {
  try {
    if (!isRecord(error)) return unreadable();
    const { actualValue, variant } = error;
    return {
      ...toFinding(error),
      foreign: true,
      ...(typeof actualValue === "string" && readActual(actualValue)),
      ...(typeof variant === "string" && { variant }),
    };
  } catch {
    return unreadable();
  }
}

function unreadable(): BuildableFinding {
  return { code: "VAL-016", path: [], message: "An error could not be read", foreign: true };
}

/** An error holds its value as JSON, as JSON that was cut for a message, or as plain text. */
function readActual(text: string): Pick<BuildableFinding, "actual" | "preview"> {
  const value = text.length <= MAX_JSON ? parse(text) : undefined;
  if (value !== undefined) return { actual: { value } };
  const isShort = text.length <= MAX_PREVIEW;
  const preview = isShort && (text === REDACTED || FIXED_WORD.test(text) || isValuePreview(text));
  return { actual: { value: text }, preview };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
