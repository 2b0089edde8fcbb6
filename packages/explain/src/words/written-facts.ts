import type { ValidationError } from "../shared/index.ts";
import { type MessageFacts, readFacts } from "./read-words.ts";

const FACTS = Symbol("toolcontract.facts");

/** The facts behind an error that core wrote. */
export interface WrittenFacts extends MessageFacts {
  /** The path that is logged; undeclared names are `*`. */
  readonly logPath: string;
  /** Writes the expectation with only the first values of a long list. */
  readonly brief?: (() => string) | undefined;
  /** True if the arguments were too long for one output. */
  readonly tooLong?: boolean;
}

/**
 * An error that core wrote, and therefore sanitized.
 *
 * The facts are not enumerable: a host's copy with other words loses them, so it is sanitized again.
 */
interface WrittenError extends ValidationError {
  readonly [FACTS]?: WrittenFacts;
}

/** Attaches facts to an error. */
export function withFacts(error: ValidationError, facts: WrittenFacts): ValidationError {
  return Object.defineProperty(error, FACTS, { value: facts });
}

/** Returns the facts of an error that core wrote; undefined if somebody else built or copied it. */
export function writtenFacts(error: ValidationError): WrittenFacts | undefined {
  try {
    return (error as WrittenError)[FACTS];
  } catch {
    // A host's proxy may throw.
    return undefined;
  }
}

/** Returns the facts of an error: those that core attached, or those read from its words. */
export function factsOf(error: ValidationError): MessageFacts {
  return writtenFacts(error) ?? readFacts(error);
}

/** Attaches to a shortened error the facts of the whole one. */
export function withFactsOf(whole: ValidationError, shortened: ValidationError): ValidationError {
  const facts = writtenFacts(whole);
  return facts ? withFacts(shortened, facts) : shortened;
}
