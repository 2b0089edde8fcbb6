import type { ContractLogger, ContractOptions } from "@toolcontract/core";
import type { GateOptions } from "../gate/index.ts";
import type { Settings } from "./flag.ts";

/** The options of the gate that the settings ask for; `inFile` gives those that are no flags. */
export function gateSettings(
  settings: Settings,
  inFile: ContractOptions,
  logger: ContractLogger,
): GateOptions {
  const unknown = settings["unknown-args"];
  return {
    ...inFile,
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

/** A tool's name may hold an equals sign itself. */
function toolSwitches(texts: readonly string[]): Readonly<Record<string, "on" | "off">> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.lastIndexOf("=");
      return [text.slice(0, at), text.slice(at + 1) === "off" ? "off" : "on"];
    }),
  );
}
