import type { Flag } from "./flag.ts";
import { FLAG_ENTRIES, FLAGS } from "./flags.ts";
import { readFlag, wantsOf } from "./read-flag.ts";
import type { FlagName, Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

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
