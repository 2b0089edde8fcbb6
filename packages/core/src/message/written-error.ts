import type { ValidationError } from "../shared/index.ts";
import type { MessageFacts } from "./derive-message.ts";
import { readFacts } from "./read-facts.ts";

const FACTS = Symbol("toolcontract.facts");

/** What core knows of an error that it wrote, beyond its words. */
export interface WrittenFacts extends MessageFacts {
  /** The path under which it is logged: undeclared names are `*`. */
  readonly logPath: string;
  /** Writes the expectation with only the first values of a long list. */
  readonly brief?: () => string;
  /** True if the arguments were too long for one output. */
  readonly tooLong?: boolean;
}

/**
 * An error that core wrote, so that it is sanitised.
 *
 * @remarks The facts are not enumerable: a copy with other words is no error of core's and is sanitised again.
 */
interface WrittenError extends ValidationError {
  readonly [FACTS]?: WrittenFacts;
}

/** Adds to an error what core knows of it. */
export function withFacts(error: ValidationError, facts: WrittenFacts): ValidationError {
  return Object.defineProperty(error, FACTS, { value: facts });
}

/** What core knows of an error; undefined for one that somebody else built or copied. */
export function writtenFacts(error: ValidationError): WrittenFacts | undefined {
  try {
    return (error as WrittenError)[FACTS];
  } catch {
    return undefined; // a host's proxy
  }
}

/** The facts of an error: as core knows them, else as its words say them. */
export function factsOf(error: ValidationError): MessageFacts {
  return writtenFacts(error) ?? readFacts(error);
}

/** A shortened error with the facts of the whole one. */
export function like(whole: ValidationError, shortened: ValidationError): ValidationError {
  const facts = writtenFacts(whole);
  return facts ? withFacts(shortened, facts) : shortened;
}
