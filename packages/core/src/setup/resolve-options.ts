import type { ContractOptions } from "../contract-options.ts";
import { nearest } from "../explain/near.ts";
import { DEFAULT_FORMAT, type FormatOptions } from "../message/format-options.ts";
import { consoleLogger } from "../observe/logger.ts";
import { ToolContractError } from "../tool-contract-error.ts";

type Defaulted =
  | "maxAttempts"
  | "scope"
  | "unknownFields"
  | "repairJson"
  | "closeDangling"
  | "unwrapStrings"
  | "rules"
  | "formatters"
  | "redact"
  | "onBlocked"
  | "logger"
  | "reportAdvisories"
  | "interpreter"
  | "clock";

/** The options with every default filled in. */
export type ResolvedOptions = Omit<ContractOptions, Defaulted | "format"> &
  Required<Pick<ContractOptions, Defaulted>> & { readonly format: FormatOptions };

interface Expectation {
  readonly wants: string;
  readonly fits: (value: unknown) => boolean;
}

const isFunction: Expectation = {
  wants: "a function",
  fits: (value) => typeof value === "function",
};
const isBoolean: Expectation = {
  wants: "true or false",
  fits: (value) => typeof value === "boolean",
};
const isObject: Expectation = {
  wants: "an object",
  fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const isText: Expectation = {
  wants: "a text that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};

function oneOf(...values: readonly string[]): Expectation {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
  };
}

function wholeFrom(minimum: number): Expectation {
  return {
    wants: `a whole number of at least ${minimum}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
  };
}

function mapOf(kind: string, fits: (value: unknown) => boolean): Expectation {
  return {
    wants: `an object of ${kind} by tool name`,
    fits: (value) => isObject.fits(value) && Object.values(value as object).every(fits),
  };
}

function listOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFunction.fits);
}

const OPTIONS: Readonly<Record<keyof ContractOptions, Expectation>> = {
  maxAttempts: wholeFrom(1),
  scope: oneOf("run", "thread"),
  format: isObject,
  unknownFields: oneOf("schema", "warn", "reject"),
  repairJson: isBoolean,
  closeDangling: isBoolean,
  unwrapStrings: isBoolean,
  rules: mapOf("lists of rules", listOfFunctions),
  formatters: mapOf("functions", isFunction.fits),
  redact: { wants: "a list of functions", fits: listOfFunctions },
  workspaceRoot: isText,
  onBlocked: oneOf("forgive", "refuse"),
  logger: { wants: "a function (fields, message)", fits: isFunction.fits },
  onEscalation: isFunction,
  reportAdvisories: isBoolean,
  interpreter: isBoolean,
  patternEngine: isFunction,
  clock: isFunction,
  store: { wants: "an AttemptStore with get, set and delete", fits: isStore },
  telemetry: { wants: "the @opentelemetry/api module", fits: isObject.fits },
};

const FORMAT: Readonly<Record<keyof FormatOptions, Expectation>> = {
  style: oneOf("standard", "compact"),
  maxLength: wholeFrom(400),
  maxErrors: wholeFrom(1),
  maxValuePreview: wholeFrom(1),
  maxTokens: wholeFrom(1),
  estimateTokens: isFunction,
};

function isStore(value: unknown): boolean {
  if (!isObject.fits(value)) return false;
  const store = value as Readonly<Record<string, unknown>>;
  return ["get", "set", "delete"].every((name) => typeof store[name] === "function");
}

/** Fills in the defaults; throws where an option is unknown or of the wrong kind. */
export function resolveOptions(options: ContractOptions = {}): ResolvedOptions {
  checkMembers("", options, OPTIONS);
  checkMembers("format.", options.format ?? {}, FORMAT);
  return {
    maxAttempts: 3,
    scope: "run",
    unknownFields: "schema",
    repairJson: true,
    closeDangling: false,
    unwrapStrings: false,
    rules: {},
    formatters: {},
    redact: [],
    onBlocked: "forgive",
    logger: consoleLogger,
    reportAdvisories: false,
    interpreter: false,
    clock: Date.now,
    ...withoutUndefined(options),
    format: { ...DEFAULT_FORMAT, ...withoutUndefined(options.format ?? {}) },
  };
}

function checkMembers(
  prefix: string,
  options: object,
  expectations: Readonly<Record<string, Expectation>>,
): void {
  if (!isObject.fits(options))
    throw new ToolContractError(
      "createContract: the options must be an object, such as { maxAttempts: 3 }.",
    );
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined;
    if (!expectation)
      throw new ToolContractError(unknownOption(prefix, name, Object.keys(expectations)));
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(
        `createContract: option '${prefix}${name}' must be ${expectation.wants}.`,
      );
    }
  }
}

function unknownOption(prefix: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const advice =
    near === undefined
      ? `The options are ${known.join(", ")}.`
      : `Did you mean '${prefix}${near}'?`;
  return `createContract: there is no option '${prefix}${name.slice(0, 64)}'. ${advice}`;
}

function withoutUndefined<T extends object>(
  options: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}
