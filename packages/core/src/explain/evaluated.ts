/** Which fields and items of one value some schema has looked at, as `unevaluated*` asks. */
export interface Evaluated {
  readonly fields: Set<string>;
  readonly items: Set<number>;
  /** The fields that `properties` names for this value, whether they were sent or not. */
  readonly declared: Set<string>;
  allFields: boolean;
  /** Every item with an index below this one. */
  itemsBelow: number;
}

// Most values are neither object nor array, so there is nothing in them to look at.
const NOTHING: Omit<Evaluated, "allFields" | "itemsBelow"> = {
  fields: new Set(),
  items: new Set(),
  declared: new Set(),
};

/** Nothing of this value looked at yet. */
export function nothingEvaluated(value: unknown): Evaluated {
  const { fields, items, declared } =
    typeof value === "object" && value !== null
      ? { fields: new Set<string>(), items: new Set<number>(), declared: new Set<string>() }
      : NOTHING;
  return { fields, items, declared, allFields: false, itemsBelow: 0 };
}

/** Adds what another schema looked at in the same value. */
export function addEvaluated(into: Evaluated, from: Evaluated): void {
  for (const field of from.fields) into.fields.add(field);
  for (const item of from.items) into.items.add(item);
  for (const name of from.declared) into.declared.add(name);
  into.allFields ||= from.allFields;
  into.itemsBelow = Math.max(into.itemsBelow, from.itemsBelow);
}
