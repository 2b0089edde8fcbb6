import type { ValuePlace } from "./place.ts";
import type { SchemaLocation, WalkOutcome } from "./walk.ts";

/** What a walk has found at each place by each schema that more than one way leads to. */
export interface WalkMemory {
  /**
   * Checks a schema at a place unless it was checked there before. Undefined while it is being checked there: it refers to
   * itself without looking any further into the value.
   */
  readonly once: (
    location: SchemaLocation,
    check: (location: SchemaLocation) => WalkOutcome,
  ) => WalkOutcome | undefined;
}

interface Remembered extends Pick<SchemaLocation, "base" | "scope" | "optional"> {
  outcome: WalkOutcome | undefined;
}

/** Creates the memory of one walk. */
export function createMemory(): WalkMemory {
  // Few schemas and many places: a map for each place would take more room than what is in it.
  const bySchema = new Map<unknown, Map<ValuePlace, Remembered[]>>();
  return {
    once(location, check) {
      const { place, schema, base, scope, optional } = location;
      const byPlace = bySchema.get(schema) ?? new Map<ValuePlace, Remembered[]>();
      const here = byPlace.get(place) ?? [];
      const known = here.find((one) => isAlike(one, location));
      if (known) return known.outcome;
      const found: Remembered = { base, scope, optional, outcome: undefined };
      here.push(found);
      bySchema.set(schema, byPlace.set(place, here));
      found.outcome = check(location);
      return found.outcome;
    },
  };
}

function isAlike(one: Remembered, { base, scope, optional }: SchemaLocation): boolean {
  return (
    one.base === base &&
    one.optional === optional &&
    (one.scope === scope ||
      (one.scope.length === scope.length && one.scope.every((outer, at) => outer === scope[at])))
  );
}
