import { jsonPointer } from "@toolcontract/core/adapter";
/** A value in Cedar's JSON, or the JSON Pointer of what Cedar has no value for. */
export type CedarValue = { readonly value: unknown } | { readonly unfit: string };

/** What Cedar reads as an entity, a call of a function or an expression, and not as a record. */
const RESERVED: ReadonlySet<string> = new Set(["__entity", "__expr", "__extn"]);

const MAX_DEPTH = 32;
/** Cedar's decimals end at 922337203685477.5807. */
const MAX_DECIMAL = 922_337_203_685_476;

/**
 * Writes data in Cedar's JSON. Fields that are null or undefined are left out, as Cedar has no null; numbers that are
 * not whole are its decimals, of at most four places.
 */
export function toCedar(value: unknown, path = "", depth = 0): CedarValue {
  if (depth > MAX_DEPTH) return { unfit: path };
  if (typeof value === "string" || typeof value === "boolean") return { value };
  if (typeof value === "number") return fromNumber(value, path);
  if (typeof value === "bigint") return fromNumber(Number(value), path);
  if (value instanceof Date) {
    return Number.isNaN(value.getTime())
      ? { unfit: path }
      : { value: { __extn: { fn: "datetime", arg: value.toISOString() } } };
  }
  if (Array.isArray(value)) return fromItems(value, path, depth);
  if (value instanceof Set) return fromItems([...value], path, depth);
  if (value instanceof Map) return fromEntries([...value], path, depth);
  if (typeof value === "object" && value !== null)
    return fromEntries(Object.entries(value), path, depth);
  return { unfit: path };
}

function fromNumber(value: number, path: string): CedarValue {
  if (Number.isSafeInteger(value)) return { value };
  const [whole = "", places = ""] = String(value).split(".");
  return /^-?\d+$/.test(whole) && /^\d{1,4}$/.test(places) && Math.abs(value) <= MAX_DECIMAL
    ? { value: { __extn: { fn: "decimal", arg: `${whole}.${places}` } } }
    : { unfit: path };
}

function fromItems(items: readonly unknown[], path: string, depth: number): CedarValue {
  const written: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const each = toCedar(item, `${path}/${index}`, depth + 1);
    if ("unfit" in each) return each;
    written.push(each.value);
  }
  return { value: written };
}

function fromEntries(
  entries: readonly (readonly [unknown, unknown])[],
  path: string,
  depth: number,
): CedarValue {
  const written: [string, unknown][] = [];
  for (const [key, item] of entries) {
    if (item === null || item === undefined) continue;
    const name = String(key);
    const place = path + jsonPointer([name]);
    if (RESERVED.has(name)) return { unfit: place };
    const each = toCedar(item, place, depth + 1);
    if ("unfit" in each) return each;
    written.push([name, each.value]);
  }
  return { value: Object.fromEntries(written) };
}
