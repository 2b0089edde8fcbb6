import type { ContractLogger, ContractOptions, ExecutionStage } from "@toolcontract/core";
import type { GateOptions } from "../gate/index.ts";
import type { Settings } from "./flag.ts";

/** Converts settings to the gate's options; `inFile` adds the options that have no flag. */
export function toGateOptions(
  settings: Settings,
  inFile: ContractOptions,
  logger: ContractLogger,
  guardrails?: ExecutionStage,
): GateOptions {
  const unknown = settings["unknown-args"];
  return {
    ...inFile,
    ...(guardrails && { guardrails }),
    mode: settings.mode,
    soft: settings.soft,
    onExhausted: settings["on-exhausted"],
    tools: toolSwitches(settings.tool),
    failOpen: settings["fail-open"],
    listTimeoutMs: settings["list-timeout"],
    attemptWindowMs: settings["attempt-window"],
    coalesceMs: settings.coalesce,
    maxAttempts: settings["max-attempts"],
    unknownFields: unknown === "ignore" ? "schema" : unknown,
    unwrapStrings: settings["unwrap-strings"],
    reportAdvisories: inFile.reportAdvisories ?? unknown === "warn",
    format: {
      ...inFile.format,
      style: settings.style,
      maxLength: settings["max-chars"],
      maxErrors: settings["max-errors"],
    },
    workspaceRoot: inFile.workspaceRoot ?? process.cwd(),
    logger,
  };
}

function toolSwitches(texts: readonly string[]): Readonly<Record<string, "on" | "off">> {
  return Object.fromEntries(
    texts.map((text) => {
      // A tool's name may contain an equals sign.
      const at = text.lastIndexOf("=");
      return [text.slice(0, at), text.slice(at + 1) === "off" ? "off" : "on"];
    }),
  );
}
