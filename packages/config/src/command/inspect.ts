import {
  FILE_OPTIONS,
  GUARDRAILS_TREE,
  optionPath,
  optionPointer,
  pointerOf,
  optionValue,
} from "../format/index.ts";
import {
  type ConfigOrigin,
  loadConfig,
  type LoadedConfig,
  type LoadOptions,
  showFilePath,
} from "../load/index.ts";
import type { CommandArguments, CommandContext } from "./command-line.ts";

/** Checks the configuration and prints which files it was read from. */
export function checkConfig({ path, json }: CommandArguments, context: CommandContext): void {
  const config = loadConfig(loadOptions(context, path));
  if (json) {
    context.print(JSON.stringify({ valid: true, files: config.files, faults: [] }, null, 2));
    return;
  }
  const shown = shownIn(context);
  context.print(summary(config, shown));
}

function summary({ files }: LoadedConfig, shown: (path: string) => string): string {
  if (files.length === 0) return "No configuration file was found: the defaults apply.";
  return `Valid: ${files.map((file) => shown(file.path)).join(", ")}`;
}

interface Setting {
  readonly path: string;
  readonly value: unknown;
  readonly origin: ConfigOrigin | "default";
}

/** Prints every setting and where it is set. */
export function show({ path, json }: CommandArguments, context: CommandContext): void {
  const config = loadConfig(loadOptions(context, path));
  const settings = [...optionSettings(config), ...guardrailSettings(config)];
  if (json) {
    context.print(JSON.stringify(settings, null, 2));
    return;
  }
  const shown = shownIn(context);
  const lines = settings.map((setting) => `${setting.path}: ${valueText(setting.value)}`);
  const width = Math.max(...lines.map((line) => line.length));
  settings.forEach(({ origin }, index) => {
    context.print(`${(lines[index] ?? "").padEnd(width)}  # ${originText(origin, shown)}`);
  });
}

function optionSettings({ options, origins }: LoadedConfig): readonly Setting[] {
  return FILE_OPTIONS.map((option) => {
    const origin = origins[optionPointer(option)];
    const path = optionPath(option);
    if (!origin) return { path, value: option.fallback ?? null, origin: "default" };
    // A string that was expanded from variables may be a secret in the wrong place.
    const isHidden =
      origin.template !== undefined &&
      option.schema["enum"] === undefined &&
      option.schema["type"] === "string";
    return { path, value: isHidden ? origin.template : optionValue(options, option.name), origin };
  });
}

/** What the files set below `tools.guardrails`, entry by entry. */
function guardrailSettings({ guardrails, origins }: LoadedConfig): readonly Setting[] {
  const { budgets = {}, effects = {}, locks = {}, rules = [], cedar = [] } = guardrails;
  const entries: readonly (readonly [string, string, unknown])[] = [
    ...Object.entries(budgets).map(([lane, value]) => ["budgets", lane, value] as const),
    ...Object.entries(effects).map(([tool, value]) => ["effects", tool, value] as const),
    ...Object.entries(locks).map(([tool, value]) => ["locks", tool, value] as const),
    ...rules.map(({ name, allow, deny }) => ["rules", name, allow ?? deny] as const),
    ...cedar.map(({ name, path }) => ["cedar", name, path] as const),
  ];
  return entries.map(([section, name, value]) => {
    const keys = [...GUARDRAILS_TREE, section, name];
    const origin = origins[pointerOf(keys)] ?? "default";
    return { path: keys.join("."), value, origin };
  });
}

function valueText(value: unknown): string {
  return value === null ? "" : JSON.stringify(value);
}

function originText(origin: Setting["origin"], shown: (path: string) => string): string {
  if (origin === "default") return "default";
  const place = `${shown(origin.file)}:${origin.line}`;
  return origin.template === undefined ? place : `${place}, from ${origin.template}`;
}

/** Where a command looks for configuration files. */
function loadOptions(context: CommandContext, path: string | undefined): LoadOptions {
  const { cwd, home, system, env } = context;
  return { path, cwd, home, system, env };
}

/** Formats paths for the person at the command line. */
export function shownIn({ cwd, home }: CommandContext): (path: string) => string {
  return (path) => showFilePath(path, cwd, home === false ? undefined : home);
}
