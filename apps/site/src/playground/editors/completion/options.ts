import type { Place } from "./place.ts";
import { isSchema, own, type Schema, schemasAt } from "./schemas-at.ts";

/** What may be written at a place. */
export interface Option {
  /** The JSON: a name or a value. */
  readonly json: string;
  /** Its type or that it is required, in a few words. */
  readonly detail?: string;
  readonly description?: string;
}

const MOST_OPTIONS = 200;
const LONGEST_VALUE = 100;
const LONGEST_DESCRIPTION = 300;

/** The names or values that a schema knows for a place. */
export function optionsAt(root: unknown, place: Place): Option[] {
  const schemas = schemasAt(root, place.path, place.scalars);
  const options = place.kind === "key" ? names(schemas, place) : schemas.flatMap(values);
  const unique = new Map<string, Option>();
  for (const option of options) {
    if (unique.size === MOST_OPTIONS) break;
    const useful = option.json.length <= LONGEST_VALUE && (!place.quoted || option.json[0] === '"');
    if (useful && !unique.has(option.json)) unique.set(option.json, option);
  }
  return [...unique.values()];
}

function names(schemas: readonly Schema[], place: Place): Option[] {
  const options: Option[] = [];
  for (const schema of schemas) {
    const properties = own(schema, "properties");
    if (!isSchema(properties)) continue;
    const list = own(schema, "required");
    const required = new Set(Array.isArray(list) ? list : []);
    for (const name in properties) {
      if (options.length === MOST_OPTIONS) return options;
      if (place.taken.has(name) || !Object.hasOwn(properties, name)) continue;
      const detail = [typeOf(properties[name]), required.has(name) ? "required" : ""]
        .join(" ")
        .trim();
      options.push({ json: JSON.stringify(name), detail, ...describe(properties[name]) });
    }
  }
  return options;
}

function typeOf(schema: unknown): string {
  const type = isSchema(schema) ? own(schema, "type") : undefined;
  const types = Array.isArray(type) ? type.slice(0, 7) : [type];
  return types.filter((each) => typeof each === "string" && each.length < 20).join(" or ");
}

/** What the types leave to write. */
const BY_TYPE: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["boolean", ["true", "false"]],
  ["null", ["null"]],
  ["object", ["{}"]],
  ["array", ["[]"]],
]);

function values(schema: Schema): Option[] {
  const listed = ["enum", "examples"].flatMap((word) => {
    const list = own(schema, word);
    return Array.isArray(list) ? list.slice(0, MOST_OPTIONS) : [];
  });
  const single = ["const", "default"].map((word) => own(schema, word));
  const stated = [...listed, ...single].filter(isScalar).map((value) => JSON.stringify(value));
  const types = stated.length > 0 ? [] : [own(schema, "type")].flat();
  const open = types.flatMap((type) => BY_TYPE.get(type) ?? []);
  return [...stated, ...open].map((json) => ({ json }));
}

function isScalar(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function describe(schema: unknown): Pick<Option, "description"> {
  const text = isSchema(schema) ? own(schema, "description") : undefined;
  return typeof text === "string" ? { description: text.slice(0, LONGEST_DESCRIPTION) } : {};
}
