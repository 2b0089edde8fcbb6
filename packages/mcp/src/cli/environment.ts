import { variableOf } from "./flag.ts";
import { FLAGS } from "./flags.ts";
import type { SettingsLayer } from "./read-settings.ts";

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
