import { UsageError } from "./failure.ts";
import { expectedValue, type Flag, parseFlag, variableOf } from "./flag.ts";
import { FLAG_ENTRIES, FLAGS, type FlagName, type Settings } from "./flags.ts";

/** One source of settings: the command line, the environment or the configuration files. */
export interface SettingsLayer {
  /** The values of a setting; undefined if this source does not set it. */
  readonly texts: (name: FlagName) => readonly string[] | undefined;
  /** What users call the setting in this source. */
  readonly called: (name: FlagName) => string;
}

/** Reads each setting from the first layer that has it; throws a UsageError if a value is invalid. */
export function readSettings(layers: readonly SettingsLayer[]): Settings {
  const entries = FLAG_ENTRIES.map(([name]) => [name, readSetting(name, layers)]);
  // Every name of Settings is a flag, parsed as its type says.
  return Object.fromEntries(entries) as Settings;
}

/** Reads a single setting. */
export function readSetting<Name extends FlagName>(
  name: Name,
  layers: readonly SettingsLayer[],
): Settings[Name] {
  const flag: Flag = FLAGS[name];
  const layer = layers.find(({ texts }) => texts(name) !== undefined);
  const given = layer?.texts(name) ?? (flag.fallback === undefined ? [] : [flag.fallback]);
  const values = given.map((text) => {
    const value = parseFlag(flag.kind, text);
    if (value !== undefined) return value;
    // Not the value itself: it may be a credential.
    const expected = expectedValue(flag.kind, flag.value);
    throw new UsageError(`${layer?.called(name) ?? name} must be ${expected}`);
  });
  // Parsed as the flag's type says.
  return (flag.isList ? values : values.at(-1)) as Settings[Name];
}

/** What may hold a credential. */
const SECRET: ReadonlySet<FlagName> = new Set(["header", "upstream", "store", "otlp"]);

/** Lists the settings in effect, and where each of them comes from. */
export function settingsInEffect(layers: readonly SettingsLayer[]): string {
  const lines = FLAG_ENTRIES.flatMap(([name, { fallback, isList }]) => {
    if (name === "check" || name === "config") return [];
    const layer = layers.find(({ texts }) => texts(name) !== undefined);
    const given = layer?.texts(name) ?? (fallback === undefined ? [] : [fallback]);
    const shown = isList ? given : given.slice(-1);
    const from = layer?.called(name) ?? "default";
    return shown.map((text) => `  ${name}: ${SECRET.has(name) ? "(set)" : text} (${from})\n`);
  });
  return `Settings:\n${lines.join("")}`;
}

const VARIABLE = /^TOOLCONTRACT_[A-Z0-9_]{1,40}$/;

/** The variables that look like settings but are not. */
export function strayVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(FLAG_ENTRIES.map(([name]) => variableOf(name)));
  return Object.keys(env).filter((name) => VARIABLE.test(name) && !known.has(name));
}

/** The settings from environment variables; a list has one value per line, and an empty variable is ignored. */
export function environmentLayer(env: NodeJS.ProcessEnv): SettingsLayer {
  return {
    called: variableOf,
    texts(name) {
      const text = env[variableOf(name)];
      if (text === undefined || text === "") return undefined;
      return FLAGS[name].isList ? text.split(/\r?\n/).filter((line) => line !== "") : [text];
    },
  };
}
