import type {
  AttemptStore,
  ContractLogger,
  ContractOptions,
  TelemetryApi,
} from "@toolcontract/core";
import type { ExecutionStage } from "@toolcontract/core/stage";
import type { GateOptions } from "../gate/index.ts";
import type { ToolLimits } from "../limits/index.ts";
import { pairOf } from "./flag.ts";
import { FLAG_ENTRIES, type Settings } from "./flags.ts";

/** What the settings name and the command has loaded. */
export interface LoadedParts {
  readonly guardrails?: ExecutionStage | undefined;
  readonly grant?: GateOptions["grant"];
  readonly store?: AttemptStore | undefined;
  /** Where metrics and spans go, if anybody reads them. */
  readonly telemetry?: TelemetryApi | undefined;
}

/** Converts settings to the gate's options; `inFile` adds the options that have no flag. */
export function toGateOptions(
  settings: Settings,
  inFile: ContractOptions,
  logger: ContractLogger,
  { guardrails, grant, store, telemetry }: LoadedParts,
): GateOptions {
  return {
    ...inFile,
    ...(guardrails && { guardrails }),
    ...(grant && { grant }),
    ...(store && { store }),
    ...(telemetry && { telemetry, callSpans: telemetry.trace !== undefined }),
    soft: settings.soft,
    results: settings.results,
    onExhausted: settings["on-exhausted"],
    tools: toolSwitches(settings.tool),
    ...(settings.provider && { provider: settings.provider }),
    failOpen: settings["fail-open"],
    listTimeoutMs: settings["list-timeout"],
    attemptWindowMs: settings["attempt-window"],
    coalesceMs: settings.coalesce,
    ...limitsOfTools(settings),
    ...contractOptions(settings, inFile),
    reportAdvisories: inFile.reportAdvisories ?? settings["unknown-args"] === "warn",
    workspaceRoot: inFile.workspaceRoot ?? process.cwd(),
    mode: settings.mode,
    logger,
  };
}

/** The options of the contract alone, for a check that runs no gate. */
export function toContractOptions(settings: Settings, inFile: ContractOptions): ContractOptions {
  return { ...inFile, ...contractOptions(settings, inFile) };
}

/** The options that have a flag, which has the value of the file unless somebody set the flag. */
function contractOptions(settings: Settings, { format }: ContractOptions): ContractOptions {
  const direct: Record<string, unknown> = {};
  const inFormat: Record<string, unknown> = { ...format };
  for (const [name, { option, inCode = {} }] of FLAG_ENTRIES) {
    if (option === undefined) continue;
    const value = settings[name];
    // The file may have it, and the gate has a default of its own.
    if (value === undefined) continue;
    const [, inner] = option.split("format.");
    const [holder, key] = inner === undefined ? [direct, option] : [inFormat, inner];
    holder[key] = typeof value === "string" ? (inCode[value] ?? value) : value;
  }
  // The flags take exactly what the rows of their options do.
  return { ...direct, format: inFormat };
}

/** The limits that are set; 0 means no limit. */
function limitsOfTools(settings: Settings): ToolLimits {
  const toolTimeout = settings["tool-timeout"] ?? 0;
  const toolResponseMaxBytes = settings["tool-response-max-bytes"] ?? 0;
  const queues = settings.queue
    .map(pairOf)
    .map(([name, concurrent]) => [name, { concurrent: Number(concurrent) }]);
  const queueOf = Object.fromEntries(settings["queue-of"].map(pairOf));
  return {
    ...(toolTimeout > 0 && { toolTimeout }),
    ...(toolResponseMaxBytes > 0 && { toolResponseMaxBytes }),
    ...(queues.length > 0 && { queues: Object.fromEntries(queues) }),
    ...(Object.keys(queueOf).length > 0 && { queueOf }),
  };
}

function toolSwitches(texts: readonly string[]): Readonly<Record<string, "on" | "off">> {
  return Object.fromEntries(
    texts.map(pairOf).map(([tool, value]) => [tool, value === "off" ? "off" : "on"]),
  );
}
