import { ToolContractError } from "@toolcontract/core";
import { type OptionRules, isObject, isString, nearestName } from "@toolcontract/core/adapter";

/** What an option that names a folder must be. */
export const folderOrNone: OptionRules[string] = {
  wants: "a folder, or false for none",
  fits: (value: unknown) => value === false || isString.fits(value),
};

/** Throws if an option is unknown or has the wrong type. */
export function checkLoadOptions(where: string, options: object, known: OptionRules): void {
  if (!isObject.fits(options)) {
    throw new ToolContractError(`${where}: the options must be an object, such as { cwd }.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!expectation) {
      const near = nearestName(name, Object.keys(known)) ?? Object.keys(known).join(", ");
      throw new ToolContractError(
        `${where}: there is no option '${name.slice(0, 64)}'. Use ${near}.`,
      );
    }
    if (value !== undefined && !expectation.fits(value)) {
      throw new ToolContractError(`${where}: option '${name}' must be ${expectation.wants}.`);
    }
  }
}
