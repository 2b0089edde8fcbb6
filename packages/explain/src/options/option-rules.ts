import { nearest } from "../schema/index.ts";
import { ToolContractError, isRecord } from "../shared/index.ts";

/** What an option must be. */
export interface OptionRule {
  /** Completes the sentence "must be …". */
  readonly wants: string;
  /** Whether a value fits. */
  readonly fits: (value: unknown) => boolean;
}

/** What each option must be, by option name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** What to do instead about options that belong elsewhere, by option name: a sentence that follows the error. */
export type Elsewhere = Readonly<Record<string, string>>;

/** Throws if an option is unknown or does not fit; `where` is the function that the error names. */
export function checkMembers(
  where: string,
  options: object,
  rules: OptionRules,
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
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) {
      const known = Object.keys(rules);
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
    if (value !== undefined && !rule.fits(value)) {
      throw new ToolContractError(`${where}: option '${prefix}${name}' must be ${rule.wants}.`);
    }
  }
}

/** A function. */
export const isFunction: OptionRule = {
  wants: "a function",
  fits: (value) => typeof value === "function",
};

/** `true` or `false`. */
export const isBoolean: OptionRule = {
  wants: "true or false",
  fits: (value) => typeof value === "boolean",
};

/** An object with named properties: no array, Map or Set. */
export const isObject: OptionRule = {
  wants: "an object",
  fits: (value) => isRecord(value) && !(value instanceof Map) && !(value instanceof Set),
};

/** A non-empty string. */
export const isString: OptionRule = {
  wants: "a non-empty string",
  fits: (value) => typeof value === "string" && value !== "",
};

/** One of the given strings. */
export function oneOf(...values: readonly string[]): OptionRule {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
  };
}

/** A whole number that is not below the minimum. */
export function wholeFrom(minimum: number): OptionRule {
  return {
    wants: `a whole number of at least ${minimum}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
  };
}

/** An array whose items are all functions. */
export const isFunctionList: OptionRule = {
  wants: "an array of functions",
  fits: (value) => Array.isArray(value) && value.every(isFunction.fits),
};

/** An object keyed by tool name, all of whose values fit; `kind` names the values in the plural. */
export function byToolName(kind: string, { fits }: OptionRule): OptionRule {
  return {
    wants: `an object of ${kind}, keyed by tool name`,
    fits: (value) => isObject.fits(value) && Object.values(value as object).every(fits),
  };
}
