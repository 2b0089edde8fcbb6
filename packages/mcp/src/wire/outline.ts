import { readRequestId, type RequestId } from "./message.ts";
import { createTopLevelReader, type TopLevelToken } from "./top-level-tokens.ts";

/** The top level of a message that is too long to be kept, read as it passes. */
export interface Outline {
  /** Reads the next bytes. */
  readonly read: (bytes: Buffer) => void;
  /** Whether a server could take it for a tool call, by what was read so far; more bytes may change that. */
  readonly mayBeCall: () => boolean;
  /** Whether it is a result or an error. */
  readonly isResponse: () => boolean;
  /** The id of the request that it answers, if it is a response. */
  readonly answers: () => RequestId | undefined;
  /** The id: undefined if there is none, null if it cannot be repeated. */
  readonly id: () => RequestId | null | undefined;
  /** The method, if there is exactly one. */
  readonly method: () => string | undefined;
}

/** A member of the message: how often it is named, in any case, and its value if that is not an object or list. */
interface Member {
  count: number;
  value?: unknown;
}

/** A string that is too long for any name, id or method that matters. */
const LONG = Symbol("long");

/**
 * Creates the outline of one message. A message that it cannot follow, because parsers differ in it, may be a call, and
 * its id is not repeated.
 */
export function createOutline(): Outline {
  const id: Member = { count: 0 };
  const method: Member = { count: 0 };
  const members = new Map([
    ["id", id],
    ["method", method],
  ]);
  let hasOutcome = false;
  let isBroken = false;
  let next: "{" | "name" | ":" | "value" | "," | "nothing" = "{";
  let named: Member | undefined;

  function takeName(name: string): void {
    const lower = name.toUpperCase().toLowerCase();
    const member = members.get(lower);
    if (member) member.count += 1;
    named = lower === name ? member : undefined;
    hasOutcome ||= name === "result" || name === "error";
    next = ":";
  }

  function takeValue(value: unknown): void {
    if (next !== "value") isBroken = true;
    if (named) named.value = value;
    named = undefined;
    next = ",";
  }

  function take(token: TopLevelToken): void {
    switch (token) {
      case "{":
        follow("{", "name");
        break;
      case ":":
        follow(":", "value");
        break;
      case ",":
        follow(",", "name");
        break;
      case "}":
        follow(next === "name" ? "name" : ",", "nothing");
        break;
      case "nested":
        takeValue(undefined);
        break;
      case "broken":
        isBroken = true;
        break;
      default:
        takeScalar(token);
    }
  }

  function follow(now: typeof next, then: typeof next): void {
    if (next !== now) isBroken = true;
    next = then;
  }

  function takeScalar({ kind, text }: Exclude<TopLevelToken, string>): void {
    const value = text === undefined ? LONG : parsed(kind === "string" ? `"${text}"` : text);
    if (value === undefined) isBroken = true;
    if (next === "name" && kind === "string") takeName(String(value));
    else takeValue(value);
  }

  const isResponse = (): boolean => !isBroken && hasOutcome && method.count === 0;

  function readId(): RequestId | null | undefined {
    if (isBroken || id.count > 1) return null;
    return id.count === 0 ? undefined : (readRequestId(id.value) ?? null);
  }

  return {
    read: createTopLevelReader(take),
    mayBeCall() {
      if (isBroken || method.count > 1) return true;
      if (method.count === 0) return !hasOutcome;
      const { value } = method;
      return value !== LONG && (typeof value !== "string" || value === "tools/call");
    },
    isResponse,
    answers: () => (isResponse() ? (readId() ?? undefined) : undefined),
    id: readId,
    method() {
      const { count, value } = method;
      return !isBroken && count === 1 && typeof value === "string" ? value : undefined;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
