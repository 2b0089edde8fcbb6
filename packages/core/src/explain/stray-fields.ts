import { holdsFields } from "./held-fields.ts";
import { isRecord } from "./json-type.ts";
import { nearest } from "./near.ts";
import type { SchemaRecord } from "./walk.ts";

// A model misspells a few keys; an object with more unknown ones than this holds something else.
const MAX_STRAYS = 20;

/** Which of an object's undeclared fields were surely meant to be declared ones. */
export interface StrayFields {
  /** The declared field that an undeclared one was meant to be. */
  readonly meantBy: (stray: string) => string | undefined;
  /** The undeclared field under which a declared one was sent, where only one may be it. */
  readonly sentFor: (declared: string) => string | undefined;
}

/** Looks at an object's fields when first asked, since most objects have no stray ones. */
export function strayFields(schema: SchemaRecord, value: SchemaRecord): StrayFields {
  let found: Strays | undefined;
  const strays = (): Strays => (found ??= findStrays(schema["properties"], value));
  return {
    meantBy: (stray) => strays().meant.get(stray),
    sentFor: (declared) => strays().sent.get(declared),
  };
}

interface Strays {
  readonly meant: ReadonlyMap<string, string>;
  readonly sent: ReadonlyMap<string, string>;
}

function findStrays(properties: unknown, value: SchemaRecord): Strays {
  const declared = isRecord(properties) ? properties : {};
  const names = Object.keys(declared);
  const meant = new Map<string, string>();
  const sent = new Map<string, string>();
  const contested = new Set<string>();
  const undeclared = Object.keys(value).filter((key) => !Object.hasOwn(declared, key));
  for (const key of undeclared.slice(0, MAX_STRAYS)) {
    if (holdsFields(value[key], declared, value)) continue;
    const near = nearest(key, names);
    if (near === undefined) continue;
    meant.set(key, near);
    // Two keys that may be the same field: nothing is certain.
    if (sent.has(near)) contested.add(near);
    sent.set(near, key);
  }
  for (const name of contested) sent.delete(name);
  return { meant, sent };
}
