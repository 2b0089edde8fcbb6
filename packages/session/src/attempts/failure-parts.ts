import { readMember } from "@toolcontract/core/adapter";

const MAX_PARTS = 32;
const MAX_SIBLINGS = 8;
/** Error messages are short; response bodies may be web pages. */
const MAX_TEXT = 4_096;

/** Where SDKs keep the error that they wrap, and the provider's answer. */
const WRAPPERS = [
  "lastError",
  "cause",
  "error",
  "data",
  "body",
  "response",
  "errors",
  "originalError",
  "$metadata",
  "$response",
];

/**
 * Everything that a thrown value consists of, outermost first: it, its causes, the errors that it wraps, the answer's body.
 *
 * @remarks Never throws, reads a bounded number of objects, and leaves out what the request said.
 */
export function partsOf(thrown: unknown): readonly unknown[] {
  const parts: unknown[] = [thrown];
  for (const part of parts) {
    for (const name of isObject(part) ? WRAPPERS : []) {
      for (const inner of listOf(readMember(part, name))) {
        if (parts.length < MAX_PARTS && !parts.includes(inner)) parts.push(inner);
      }
    }
  }
  return parts;
}

/** What a part says in words. A string is a part too. */
export function textsOf(part: unknown): readonly string[] {
  const texts =
    typeof part === "string"
      ? [part]
      : ["message", "responseBody", "detail", "statusText"].map((name) => readMember(part, name));
  return texts.filter(isText).map((text) => text.slice(0, MAX_TEXT));
}

function listOf(value: unknown): readonly unknown[] {
  const members = readList(value) ?? [value];
  return members.filter((member) => isObject(member) || isText(member));
}

// `Array.isArray` throws for a revoked proxy; `typeof` does not.
function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The first items of a list; undefined for anything else. */
function readList(value: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(value) ? value.slice(0, MAX_SIBLINGS) : undefined;
  } catch {
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
