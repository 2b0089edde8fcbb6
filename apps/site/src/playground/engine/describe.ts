import type { ContractDegradedEvent, Repair, RepairStep } from "@toolcontract/core";

const REPAIRS: Readonly<Record<RepairStep, string>> = {
  null: "A null was left out",
  fence: "The code fence was removed",
  syntax: "The JSON syntax was repaired",
  close: "Missing brackets were added",
  unwrap: "A string was read as the JSON in it",
  empty: "No arguments were read as an empty object",
};

/** Says what a repair changed. */
export function describeRepair({ step, offset, removed, inserted }: Repair): string {
  // The position of what was in a string is that in the string.
  if (step === "unwrap") return `${REPAIRS[step]} (${characters(removed)})`;
  const change =
    removed > 0 && inserted > 0
      ? `${characters(removed)} replaced by ${inserted}`
      : characters(removed + inserted);
  return `${REPAIRS[step]} (${change} at position ${offset})`;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

const DEGRADED: Readonly<Record<string, string>> = {
  "schema: unknown-dialect": "The $schema is unknown, so nothing is enforced",
  "schema: schema-not-compiled": "The JSON Schema cannot be read, so nothing is enforced",
  "schema: keyword-left-out": "A keyword is broken and was left out",
  "schema: keyword-misspelt": "A keyword is misspelt and was read as intended",
  "schema: values-contradict-type": "No listed value has the declared type, so the list decides",
  "schema: pattern-not-compiled": "A pattern is not a regular expression and was left out",
  "schema: pattern-too-slow": "Not checked: this pattern would take too long on this string",
  validate: "The schema could not be applied to the call, which passed unchecked",
  validator: "The validator threw",
};

/** Says what a contract does not enforce, and where. */
export function describeDegraded({ stage, places = [] }: ContractDegradedEvent): string {
  const words = DEGRADED[stage] ?? `The contract works without ${stage}`;
  return places.length === 0 ? words : `${words} (${places.join(", ")})`;
}

/** What is enforced as it was meant. */
const READ_AS_MEANT = new Set(["schema: keyword-misspelt", "schema: values-contradict-type"]);

/** Whether a call passed with something unchecked for this reason. */
export function isUnchecked({ stage }: ContractDegradedEvent): boolean {
  return stage === "validate" || (stage.startsWith("schema: ") && !READ_AS_MEANT.has(stage));
}
