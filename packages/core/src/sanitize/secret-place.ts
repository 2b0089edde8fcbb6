import type { PathSegment } from "../fault.ts";

/** What a schema says of one place of the arguments: that the value there is a secret, or something inside it. */
export interface SecretPlace {
  /** True where the value itself is the secret. */
  readonly hidden: boolean;
  /** The place of one of its entries; undefined where the schema knows of no secret there. */
  inside(segment: PathSegment): SecretPlace | undefined;
}

/** Follows a path; whatever lies inside a secret is one. */
export function secretPlaceAt(
  root: SecretPlace | undefined,
  path: readonly PathSegment[],
): SecretPlace | undefined {
  let place = root;
  for (const segment of path) {
    if (!place || place.hidden) return place;
    place = place.inside(segment);
  }
  return place;
}
