import type { PathSegment } from "../../shared/index.ts";

/** A place of the value that is walked. A walk with a memory has one for each, however it gets there. */
export interface ValuePlace {
  readonly value: unknown;
  readonly level: number;
  readonly parent: ValuePlace | undefined;
  readonly segment: PathSegment | undefined;
  readonly remembers: boolean;
  inside: Map<PathSegment, ValuePlace> | undefined;
}

/** The place of the whole value. */
export function rootPlace(value: unknown, remembers: boolean): ValuePlace {
  return makePlace(value, undefined, undefined, remembers);
}

/** The place of a field or item, or of what might be there. */
export function placeInside(parent: ValuePlace, segment: PathSegment, value: unknown): ValuePlace {
  const known = parent.inside?.get(segment);
  if (known && known.value === value) return known;
  const made = makePlace(value, parent, segment, parent.remembers);
  if (parent.remembers && holds(parent.value, segment, value))
    (parent.inside ??= new Map()).set(segment, made);
  return made;
}

function holds(container: unknown, segment: PathSegment, value: unknown): boolean {
  return (container as Readonly<Record<PathSegment, unknown>>)[segment] === value;
}

/** The same place with another value. */
export function placeWith({ parent, segment, remembers }: ValuePlace, value: unknown): ValuePlace {
  return makePlace(value, parent, segment, remembers);
}

function makePlace(
  value: unknown,
  parent: ValuePlace | undefined,
  segment: PathSegment | undefined,
  remembers: boolean,
): ValuePlace {
  const level = parent === undefined ? 0 : parent.level + 1;
  return { value, level, parent, segment, remembers, inside: undefined };
}

/** The path from the whole value to a place. */
export function pathOfPlace({ place }: { readonly place: ValuePlace }): readonly PathSegment[] {
  const path: PathSegment[] = [];
  for (let at: ValuePlace | undefined = place; at?.segment !== undefined; at = at.parent)
    path.push(at.segment);
  return path.toReversed();
}
