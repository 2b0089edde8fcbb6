import { ToolContractError } from "@toolcontract/core";
import { type Expectations, isObject, isText, nearestName } from "@toolcontract/core/adapter";
import type { FindOptions } from "./files/find-config-files.ts";
import type { Environment } from "./files/layer-variables.ts";

/** Where to look for configuration, and the variables that it may use. */
export interface LoadOptions extends FindOptions {
  /** Where variables are looked up after a layer's env file; `process.env` by default. */
  readonly env?: Environment | undefined;
}

const folderOrNone = {
  wants: "a folder, or false for none",
  fits: (value: unknown) => value === false || isText.fits(value),
};

const OPTIONS: Readonly<Record<keyof LoadOptions, Expectations[string]>> = {
  path: isText,
  cwd: isText,
  home: folderOrNone,
  system: folderOrNone,
  env: isObject,
};

/** Throws where an option is unknown or of the wrong kind. */
export function checkLoadOptions(options: LoadOptions): void {
  if (!isObject.fits(options)) {
    throw new ToolContractError("loadConfig: the options must be an object, such as { cwd }.");
  }
  const known: Expectations = OPTIONS;
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!expectation) {
      const near = nearestName(name, Object.keys(known)) ?? Object.keys(known).join(", ");
      throw new ToolContractError(
        `loadConfig: there is no option '${name.slice(0, 64)}'. Use ${near}.`,
      );
    }
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(`loadConfig: option '${name}' must be ${expectation.wants}.`);
    }
  }
}
