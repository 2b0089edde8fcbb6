import { ToolContractError, isRecord } from "../shared/index.ts";
import { nearest } from "../schema/index.ts";

/** What an option must be. */
export interface Expectation {
  /** In words that complete "must be …". */
  readonly wants: string;
  readonly fits: (value: unknown) => boolean;
}

/** The options of something, by name. */
export type Expectations = Readonly<Record<string, Expectation>>;

/** Any function. */
export const isFunction: Expectation = {
  wants: "a function",
  fits: (value) => typeof value === "function",
};

/** `true` or `false`. */
export const isBoolean: Expectation = {
  wants: "true or false",
  fits: (value) => typeof value === "boolean",
};

/** An object with names; a list, a Map or a Set has none. */
export const isObject: Expectation = { wants: "an object", fits: isNamed };

/** A text that is not empty. */
export const isText: Expectation = {
  wants: "a text that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};

/** One of these texts. */
export function oneOf(...values: readonly string[]): Expectation {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
  };
}

/** A whole number from a minimum on. */
export function wholeFrom(minimum: number): Expectation {
  return {
    wants: `a whole number of at least ${minimum}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
  };
}

/** An object by tool name, all of whose values fit. */
export function mapOf(kind: string, fits: (value: unknown) => boolean): Expectation {
  return {
    wants: `an object of ${kind} by tool name`,
    fits: (value) => isNamed(value) && Object.values(value).every(fits),
  };
}

/** Throws where an option is unknown or of the wrong kind, naming the function that got it. */
export function checkMembers(
  where: string,
  options: object,
  expectations: Expectations,
  prefix = "",
): void {
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (!expectation) {
      throw new ToolContractError(unknownOption(where, prefix, name, Object.keys(expectations)));
    }
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(
        `${where}: option '${prefix}${name}' must be ${expectation.wants}.`,
      );
    }
  }
}

function unknownOption(
  where: string,
  prefix: string,
  name: string,
  known: readonly string[],
): string {
  const near = nearest(name, known);
  const advice =
    near === undefined
      ? `The options are ${known.join(", ")}.`
      : `Did you mean '${prefix}${near}'?`;
  return `${where}: there is no option '${prefix}${name.slice(0, 64)}'. ${advice}`;
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof Map) && !(value instanceof Set);
}
