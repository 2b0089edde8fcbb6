import type { ContractOptions } from "../contract-options.ts";
import type { CallOptions } from "../stages/call-services.ts";
import { DEFAULT_FORMAT, type FormatOptions } from "../message/format-options.ts";
import { consoleLogger } from "../observe/logger.ts";
import { ToolContractError } from "../tool-contract-error.ts";
import {
  checkMembers,
  type Expectation,
  isBoolean,
  isFunction,
  isObject,
  isText,
  mapOf,
  oneOf,
  wholeFrom,
} from "./expectation.ts";

/** The options with every default filled in. */
export type ResolvedOptions = CallOptions &
  Required<Pick<ContractOptions, "scope" | "logger" | "clock">> &
  Pick<ContractOptions, "workspaceRoot" | "store" | "telemetry">;

function listOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every(isFunction.fits);
}

/** Every option of a contract, with what it must be. */
export const CONTRACT_OPTIONS: Readonly<Record<keyof ContractOptions, Expectation>> = {
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
export function resolveOptions(
  options: ContractOptions = {},
  where = "createContract",
): ResolvedOptions {
  if (!isObject.fits(options)) {
    throw new ToolContractError(
      `${where}: the options must be an object, such as { maxAttempts: 3 }.`,
    );
  }
  checkMembers(where, options, CONTRACT_OPTIONS);
  checkMembers(where, options.format ?? {}, FORMAT, "format.");
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

function withoutUndefined<T extends object>(
  options: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}
