import { FILE_OPTIONS } from "../format/option-table.ts";
import { optionPath, optionPointer } from "../format/pointer.ts";
import { valueOf } from "../format/to-options.ts";
import type { ConfigOrigin } from "../layers/set-values.ts";
import { loadConfig, type LoadedConfig } from "../load-config.ts";
import type { CommandArguments, CommandContext } from "./command-context.ts";
import { loadOptions } from "./load-options-of.ts";
import { shownIn } from "./shown-in.ts";

interface Setting {
  readonly path: string;
  readonly value: unknown;
  readonly origin: ConfigOrigin | "default";
}

/** Prints every setting with the place where it is set. */
export function show({ path, json }: CommandArguments, context: CommandContext): void {
  const settings = settingsOf(loadConfig(loadOptions(context, path)));
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

function settingsOf({ options, origins }: LoadedConfig): readonly Setting[] {
  return FILE_OPTIONS.map((option) => {
    const origin = origins[optionPointer(option)];
    const path = optionPath(option);
    if (!origin) return { path, value: option.fallback ?? null, origin: "default" };
    // A text that came out of variables may be a secret in the wrong place.
    const isHidden =
      origin.template !== undefined &&
      option.schema["enum"] === undefined &&
      option.schema["type"] === "string";
    return { path, value: isHidden ? origin.template : valueOf(options, option.name), origin };
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
