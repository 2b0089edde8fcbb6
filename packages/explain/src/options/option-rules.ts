import { isRecord } from "../shared/index.ts";

/** What an option must be. */
export interface OptionRule {
  /** Completes the sentence "must be …". */
  readonly wants: string;
  /** Whether a value fits. */
  readonly fits: (value: unknown) => boolean;
  /** A plural noun for the values that only code can pass, such as "functions". */
  readonly codeOnly?: string;
  /** True if it must be there. */
  readonly isRequired?: boolean;
  /** What each member of an object must be; others are unknown. */
  readonly members?: OptionRules;
  /** What every value of an object must be, whatever its name. */
  readonly each?: OptionRule;
}

/** A rule for plain data, which a file can hold. */
export interface DataRule extends OptionRule {
  /** The JSON Schema of the values. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What each option must be, by option name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** An option that is set in code only. */
export interface CodeOption extends OptionRule {
  /** The default; an option without one is off, or does what its function says. */
  readonly fallback?: unknown;
  readonly key?: never;
}

/** An option that a configuration file can set, too. */
export interface FileOption extends DataRule {
  /** The path in the file, in snake_case, such as `retry.max_attempts`. */
  readonly key: string;
  /** What it does, in a line. */
  readonly about: string;
  /** A value to begin with, for a new file; needed if there is no default. */
  readonly example?: string | number;
  /** The default; an option without one is off. */
  readonly fallback?: string | number | boolean | undefined;
}

/** One row of a table of options: from it, the option is checked, filled in, read from files, and documented. */
export type Option = CodeOption | FileOption;

/** The options of a function by name, in reading order. */
export type OptionTable<Name extends string = string> = Readonly<Record<Name, Option>>;

/** The default of each option that has one. */
export function defaultsOf(table: OptionTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, option]) =>
      "fallback" in option ? [[name, option.fallback]] : [],
    ),
  );
}

/** The given options, and the default of each that is not given. */
export function filled<Options extends object>(
  table: OptionTable,
  given: Options,
): Options & Readonly<Record<string, unknown>> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultsOf(table), ...(Object.fromEntries(entries) as Options) };
}

/** A function. */
export const isFunction: OptionRule = {
  wants: "a function",
  fits: (value) => typeof value === "function",
  codeOnly: "functions",
};

/** `true` or `false`. */
export const isBoolean: DataRule = {
  wants: "true or false",
  fits: (value) => typeof value === "boolean",
  schema: { type: "boolean" },
};

/** `true`, `false`, or one of the given strings. */
export function isBooleanOr(...values: readonly string[]): DataRule {
  return {
    wants: `true, false or ${values.map((value) => `"${value}"`).join(" or ")}`,
    fits: (value) => typeof value === "boolean" || values.includes(value as string),
    schema: { type: ["boolean", "string"], enum: [true, false, ...values] },
  };
}

/** An object with named properties: no array, Map or Set. */
export const isObject: OptionRule = {
  wants: "an object",
  fits: (value) => isRecord(value) && !(value instanceof Map) && !(value instanceof Set),
};

/** A non-empty string. */
export const isString: DataRule = {
  wants: "a non-empty string",
  fits: (value) => typeof value === "string" && value !== "",
  schema: { type: "string", minLength: 1 },
};

/** One of the given strings. */
export function oneOf(...values: readonly string[]): DataRule {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
    schema: { type: "string", enum: values },
  };
}

/** A whole number that is not below the minimum. */
export function wholeFrom(minimum: number): DataRule {
  return {
    wants: `a whole number of at least ${minimum}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
    schema: { type: "integer", minimum },
  };
}

/** An array whose items are all functions. */
export const isFunctionList: OptionRule = {
  wants: "an array of functions",
  fits: (value) => Array.isArray(value) && value.every(isFunction.fits),
  codeOnly: "functions",
};

/** An object keyed by tool name, all of whose values fit; `kind` names the values in the plural. */
export function byToolName(kind: string, { fits }: OptionRule): OptionRule {
  return {
    wants: `an object of ${kind}, keyed by tool name`,
    fits: (value) => isObject.fits(value) && Object.values(value as object).every(fits),
    codeOnly: "functions",
  };
}
