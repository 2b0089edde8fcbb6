import { nearest } from "../schema/index.ts";
import { ToolContractError, isRecord } from "../shared/index.ts";

/** What an option must be. */
export interface Expectation {
  /** Completes the sentence "must be …". */
  readonly wants: string;
  /** Whether a value fits. */
  readonly fits: (value: unknown) => boolean;
}

/** What each option must be, by option name. */
export type Expectations = Readonly<Record<string, Expectation>>;

/** What to do instead about options that belong elsewhere, by option name: a sentence that follows the error. */
export type Elsewhere = Readonly<Record<string, string>>;

/** Throws if an option is unknown or does not fit; `where` is the function that the error names. */
export function checkMembers(
  where: string,
  options: object,
  expectations: Expectations,
  {
    prefix = "",
    elsewhere = {},
  }: {
    /** Written before every name, such as `format.` */
    readonly prefix?: string;
    readonly elsewhere?: Elsewhere;
  } = {},
): void {
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (!expectation) {
      const known = Object.keys(expectations);
      const near = nearest(name, [...new Set([...known, ...Object.keys(elsewhere)])]) ?? name;
      const advice = known.includes(near)
        ? `Did you mean '${prefix}${near}'?`
        : Object.hasOwn(elsewhere, near)
          ? elsewhere[near]
          : `The options are ${known.join(", ")}.`;
      throw new ToolContractError(
        `${where}: unknown option '${prefix}${name.slice(0, 64)}'. ${advice}`,
      );
    }
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(
        `${where}: option '${prefix}${name}' must be ${expectation.wants}.`,
      );
    }
  }
}

/** A function. */
export const isFunction: Expectation = {
  wants: "a function",
  fits: (value) => typeof value === "function",
};

/** `true` or `false`. */
export const isBoolean: Expectation = {
  wants: "true or false",
  fits: (value) => typeof value === "boolean",
};

/** An object with named properties: no array, Map or Set. */
export const isObject: Expectation = {
  wants: "an object",
  fits: (value) => isRecord(value) && !(value instanceof Map) && !(value instanceof Set),
};

/** A non-empty string. */
export const isString: Expectation = {
  wants: "a non-empty string",
  fits: (value) => typeof value === "string" && value !== "",
};

/** One of the given strings. */
export function oneOf(...values: readonly string[]): Expectation {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
  };
}

/** A whole number that is not below the minimum. */
export function wholeFrom(minimum: number): Expectation {
  return {
    wants: `a whole number of at least ${minimum}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
  };
}

/** An array whose items are all functions. */
export const isFunctionList: Expectation = {
  wants: "an array of functions",
  fits: (value) => Array.isArray(value) && value.every(isFunction.fits),
};

/** An object keyed by tool name, all of whose values fit; `kind` names the values in the plural. */
export function byToolName(kind: string, { fits }: Expectation): Expectation {
  return {
    wants: `an object of ${kind}, keyed by tool name`,
    fits: (value) => isObject.fits(value) && Object.values(value as object).every(fits),
  };
}
