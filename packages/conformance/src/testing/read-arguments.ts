import type { Flaw } from "./loop.ts";

/** The arguments of a call, or why they cannot be read. */
export type ReadArguments =
  | {
      readonly kind: "read";
      readonly value: unknown;
      readonly text: string;
      /** True if the end was made up. */
      readonly isCompleted?: true;
    }
  | { readonly kind: "cut" | "syntax" | "inexact" };

/** Reads arguments as the model wrote them; none at all are an empty object. */
export function readArguments(sent: string, flaw?: Flaw): ReadArguments {
  const text = ["", "null"].includes(sent.trim()) ? "{}" : sent;
  const read = parsed(text);
  if (read === undefined) {
    const open = openParts(text);
    if (open === "") return { kind: "syntax" };
    const completed = flaw === "completes-cut-calls" ? parsed(text + open) : undefined;
    if (completed === undefined) return { kind: "cut" };
    return { kind: "read", value: completed.value, text: text + open, isCompleted: true };
  }
  const isExact = flaw === "rounds-numbers" || numbersOf(text).every(isExactNumber);
  if (!isExact) return { kind: "inexact" };
  const kept = flaw === "rounds-numbers" ? JSON.stringify(read.value) : text;
  return { kind: "read", value: read.value, text: kept };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** What would close the strings, lists and objects that are still open. */
function openParts(text: string): string {
  const closers: string[] = [];
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (isString && letter === "\\") index += 1;
    else if (letter === '"') isString = !isString;
    else if (!isString && letter === "{") closers.unshift("}");
    else if (!isString && letter === "[") closers.unshift("]");
    else if (!isString && letter === closers[0]) closers.shift();
  }
  return `${isString ? '"' : ""}${closers.join("")}`;
}

function numbersOf(text: string): readonly string[] {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "");
  return bare.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
}

function isExactNumber(digits: string): boolean {
  const value = Number(digits);
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/.test(digits) || Number.isSafeInteger(value);
}
