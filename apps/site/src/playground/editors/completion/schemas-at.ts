import type { Scalars, Step } from "./place.ts";

/** A JSON Schema that is an object; `true` and `false` say nothing of names and values. */
export type Schema = Readonly<Record<string, unknown>>;

/** How many subschemas one completion reads: a schema may be huge, or refer to itself. */
const MOST_SCHEMAS = 5_000;

/**
 * The subschemas that describe the value at the end of `path`, every branch of every union that fits what is
 * written already. Reads no more than a fixed number of subschemas.
 */
export function schemasAt(root: unknown, path: readonly Step[], scalars: Scalars): Schema[] {
  const walk = new Walk(root);
  let schemas = [root];
  for (const step of path)
    schemas = walk.expand(schemas, step.scalars).flatMap((schema) => below(schema, step.key));
  return walk.expand(schemas, scalars);
}

class Walk {
  readonly #root: unknown;
  #left = MOST_SCHEMAS;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The schemas themselves and everything that applies to the same value. */
  expand(schemas: readonly unknown[], scalars: Scalars): Schema[] {
    const found = new Set<Schema>();
    const queue = [...schemas];
    // The queue grows while it is read.
    for (const schema of queue) {
      if (!isSchema(schema) || found.has(schema)) continue;
      if (this.#left-- <= 0) break;
      found.add(schema);
      for (const word of ["allOf", "anyOf", "oneOf"]) {
        const branches = listAt(schema, word).slice(0, this.#left);
        const fitting = branches.filter((branch) => this.#fits(branch, scalars));
        // If none fits, what is written is what is wrong.
        queue.push(...(fitting.length > 0 ? fitting : branches));
      }
      for (const word of ["if", "then", "else"]) queue.push(own(schema, word));
      queue.push(this.#target(schema));
    }
    return [...found];
  }

  #fits(branch: unknown, scalars: Scalars): boolean {
    const schema = isSchema(branch) ? (this.#target(branch) ?? branch) : undefined;
    const properties = isSchema(schema) ? own(schema, "properties") : undefined;
    if (!isSchema(properties)) return true;
    return [...scalars].every(([name, value]) => {
      const property = own(properties, name);
      if (value === undefined || !isSchema(property)) return true;
      const allowed = "const" in property ? [property["const"]] : own(property, "enum");
      return !Array.isArray(allowed) || allowed.includes(value);
    });
  }

  #target(schema: Schema): unknown {
    const reference = own(schema, "$ref");
    if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) return undefined;
    let target = this.#root;
    for (const part of reference.split("/").slice(1, 100)) {
      const name = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
      target = typeof target === "object" && target !== null ? own(target, name) : undefined;
    }
    return target;
  }
}

function below(schema: Schema, key: string | number): unknown[] {
  if (typeof key === "number") {
    const [prefix, items] = [own(schema, "prefixItems"), own(schema, "items")];
    const tuple = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : [];
    if (key < tuple.length) return [tuple[key]];
    return [Array.isArray(items) ? own(schema, "additionalItems") : items];
  }
  const properties = own(schema, "properties");
  const property = isSchema(properties) ? own(properties, key) : undefined;
  return [property ?? own(schema, "additionalProperties")];
}

/** A member of an object or list from outside, never one of its prototype. */
export function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Schema)[name] : undefined;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listAt(schema: Schema, word: string): unknown[] {
  const list = own(schema, word);
  return Array.isArray(list) ? list : [];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
