import type { ContractOptions } from "@toolcontract/core";
import type { OptionName } from "./option-table.ts";

/** Makes the options of a contract from values that were judged, by name. */
export function toOptions(values: ReadonlyMap<OptionName, unknown>): ContractOptions {
  const direct: Record<string, unknown> = {};
  const format: Record<string, unknown> = {};
  for (const [name, value] of values) {
    if (name.startsWith("format.")) format[name.slice("format.".length)] = value;
    else direct[name] = value;
  }
  // The values were judged with a schema that takes what core takes, which the tests hold together.
  return { ...direct, ...(Object.keys(format).length > 0 && { format }) };
}

/** The value of an option, by its name. */
export function valueOf(options: ContractOptions, name: OptionName): unknown {
  return name
    .split(".")
    .reduce<unknown>((holder, key) => (holder as Readonly<Record<string, unknown>>)[key], options);
}
