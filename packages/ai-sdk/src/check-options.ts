import { type ContractOptions, ToolContractError } from "@toolcontract/core";
import type { ToolSet } from "ai";
import { nearName } from "./near-name.ts";
import type { AdapterOptions } from "./with-contract-options.ts";

interface Expectation {
  readonly wants: string;
  readonly fits: (value: unknown) => boolean;
}

const isFunction: Expectation = {
  wants: "a function",
  fits: (value) => typeof value === "function",
};

const ADAPTER_OPTIONS: Readonly<Record<keyof AdapterOptions<ToolSet>, Expectation>> = {
  tools: {
    wants: "an object of tools by name, such as { read_file }",
    fits: (value) => isObject(value) && Object.values(value).every(isObject),
  },
  escalate: oneOf("drop-tool", "stop", "throw"),
  repairToolCall: isFunction,
  stopWhen: {
    wants: "a stop condition such as stepCountIs(8), or a list of them",
    fits: (value) => [value].flat().every(isFunction.fits),
  },
  prepareStep: isFunction,
  activeTools: {
    wants: "a list of tool names",
    fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  },
  repairNames: { wants: "true or false", fits: (value) => typeof value === "boolean" },
  conversationId: {
    wants: "a text that is not empty, such as thread.id",
    fits: (value) => typeof value === "string" && value !== "",
  },
};

/** What core cannot check, because it never sees it. */
const BESIDE_CONTRACT: Readonly<Record<string, Expectation>> = {
  contract: {
    wants: "what createContract(…) returns",
    fits: isContract,
  },
  scope: oneOf("run", "thread"),
  logger: isFunction,
};

const CONTRACT_OPTIONS: Readonly<Record<keyof ContractOptions, true>> = {
  maxAttempts: true,
  scope: true,
  format: true,
  unknownFields: true,
  repairJson: true,
  closeDangling: true,
  unwrapStrings: true,
  rules: true,
  formatters: true,
  redact: true,
  workspaceRoot: true,
  onBlocked: true,
  logger: true,
  onEscalation: true,
  reportAdvisories: true,
  interpreter: true,
  patternEngine: true,
  clock: true,
  store: true,
  telemetry: true,
};

const CHECKED = { ...ADAPTER_OPTIONS, ...BESIDE_CONTRACT };
const KNOWN: readonly string[] = Object.keys({ ...CHECKED, ...CONTRACT_OPTIONS });

/** Tells whether an option is one of the contract's; every other one is the adapter's own. */
export function isContractOption(name: string): boolean {
  return Object.hasOwn(CONTRACT_OPTIONS, name);
}

/** Throws where the options cannot work, saying which one and how to fix it. */
export function checkOptions(options: unknown): void {
  if (!isObject(options) || options["tools"] === undefined) {
    fail("pass the tools, such as { tools: { read_file } }.");
  }
  for (const name of Object.keys(options)) if (!KNOWN.includes(name)) fail(unknownOption(name));
  for (const [name, { wants, fits }] of Object.entries(CHECKED)) {
    const value = options[name];
    if (value !== undefined && !fits(value)) fail(`option '${name}' must be ${wants}.`);
  }
  const { tools, activeTools = [], contract } = options;
  const missing = (activeTools as readonly string[]).find(
    (name) => !Object.hasOwn(tools as object, name),
  );
  if (missing !== undefined) {
    fail(`option 'activeTools' names '${missing.slice(0, 64)}', which is not among the tools.`);
  }
  const stray = Object.keys(options).find(
    (name) => options[name] !== undefined && !Object.hasOwn(CHECKED, name),
  );
  if (contract !== undefined && stray !== undefined) {
    fail(`pass either a contract or its options, not both; '${stray}' belongs to createContract.`);
  }
}

function fail(words: string): never {
  throw new ToolContractError(`withContract: ${words}`);
}

function unknownOption(name: string): string {
  const near = nearName(name, KNOWN);
  const advice =
    near === undefined ? `The options are ${KNOWN.join(", ")}.` : `Did you mean '${near}'?`;
  return `there is no option '${name.slice(0, 64)}'. ${advice}`;
}

function oneOf(...values: readonly string[]): Expectation {
  return {
    wants: values.map((value) => `"${value}"`).join(" or "),
    fits: (value) => values.includes(value as string),
  };
}

function isContract(value: unknown): boolean {
  return (
    isObject(value) &&
    ["check", "checkAsync", "admit", "handle", "reject"].every((name) =>
      isFunction.fits(value[name]),
    )
  );
}

/** A list has no names, a Map or a Set has no members of its own. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof Map) && !(value instanceof Set);
}
