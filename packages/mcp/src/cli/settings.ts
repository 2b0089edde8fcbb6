import { type Flag, type FlagName, type Settings, readFlag, variableOf, wantsOf } from "./flag.ts";
import { FLAGS, FLAG_ENTRIES } from "./flags.ts";
import { UsageError } from "./failure.ts";

/** One place where settings come from. */
export interface SettingsLayer {
  readonly texts: (name: FlagName) => readonly string[] | undefined;
  /** What a user calls the setting there. */
  readonly called: (name: FlagName) => string;
}

/** Reads every setting from the first layer that has it; throws a UsageError where a text is not what the flag wants. */
export function readSettings(layers: readonly SettingsLayer[]): Settings {
  const entries = FLAG_ENTRIES.map(([name]) => [name, readSetting(name, layers)]);
  // Every flag has its entry, read as its kind says.
  return Object.fromEntries(entries) as Settings;
}

/** Reads one setting alone. */
export function readSetting<Name extends FlagName>(
  name: Name,
  layers: readonly SettingsLayer[],
): Settings[Name] {
  const flag: Flag = FLAGS[name];
  const layer = layers.find(({ texts }) => texts(name) !== undefined);
  const given = layer?.texts(name) ?? (flag.fallback === undefined ? [] : [flag.fallback]);
  const values = given.map((text) => {
    const value = readFlag(flag.kind, text);
    if (value !== undefined) return value;
    // Never the text itself: it may be a credential.
    const wants = wantsOf(flag.kind, flag.value);
    throw new UsageError(`${layer?.called(name) ?? name} must be ${wants}`);
  });
  // Read as the flag's kind says.
  return (flag.isList ? values : values.at(-1)) as Settings[Name];
}

/** The settings that environment variables give; lists are one value a line, empty ones are none. */
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
