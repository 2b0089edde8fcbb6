/** A member of whatever came, by its path; undefined if it is not there or cannot be read. */
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  try {
    let found: unknown = value;
    for (const key of path) {
      if (typeof found !== "object" || found === null) return undefined;
      found = (found as Readonly<Record<string | number, unknown>>)[key];
    }
    return found;
  } catch {
    // A host's proxy that throws.
    return undefined;
  }
}

/** The member in the words of an SDK, or in those of the wire. */
export function eitherOf(value: unknown, camel: string, snake: string): unknown {
  return memberOf(value, camel) ?? memberOf(value, snake);
}

/** The elements of whatever came. */
export function listOf(value: unknown): readonly unknown[] {
  try {
    return Array.isArray(value) ? [...value] : [];
  } catch {
    return [];
  }
}

/** A string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finish reason as it came: undefined if none did, null for one that says nothing. */
export function reasonOf(value: unknown): string | null | undefined {
  return value === undefined || typeof value === "string" ? value : null;
}
