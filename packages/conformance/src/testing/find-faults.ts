/** The part of JSON Schema that the kit's tools use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A fault in two halves: the field, and what is allowed there. */
export interface Fault {
  readonly field: string;
  readonly allowed: string;
}

/** Everything that a schema forbids in a value; a whole validator would take a library. */
export function findFaults(schema: Schema, value: unknown, field = "arguments"): readonly Fault[] {
  const fault = (allowed: string, at = field): readonly Fault[] => [{ field: at, allowed }];
  const type = typeOf(value);
  const isInteger = schema.type === "integer" && Number.isInteger(value);
  if (schema.type !== undefined && schema.type !== type && !isInteger) {
    return fault(`expected ${schema.type}`);
  }
  const faults: Fault[] = [];
  if (schema.enum && !schema.enum.includes(value)) {
    faults.push(...fault(`expected one of ${schema.enum.join(", ")}`));
  }
  if (typeof value === "string") {
    const { pattern, minLength = 0, maxLength = Infinity } = schema;
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
      faults.push(...fault(`must match ${pattern}`));
    }
    if (value.length < minLength) faults.push(...fault(`needs ${minLength} characters`));
    if (value.length > maxLength) faults.push(...fault(`takes ${maxLength} characters`));
  }
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) faults.push(...fault(`must be at least ${minimum}`));
    if (value > maximum) faults.push(...fault(`must be at most ${maximum}`));
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity, items = {} } = schema;
    if (value.length < minItems) faults.push(...fault(`needs ${minItems} items`));
    if (value.length > maxItems) faults.push(...fault(`takes ${maxItems} items`));
    faults.push(...value.flatMap((item, index) => findFaults(items, item, `${field}[${index}]`)));
  }
  if (type === "object") faults.push(...findMemberFaults(schema, value as object, field));
  return faults;
}

function findMemberFaults(schema: Schema, value: object, field: string): readonly Fault[] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ field: `${field}.${name}`, allowed: "is required" }));
  const found = Object.entries(value).flatMap(([name, member]) => {
    const at = `${field}.${name}`;
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own) return findFaults(own, member, at);
    if (additionalProperties === false) return [{ field: at, allowed: "is an unknown field" }];
    return additionalProperties === true ? [] : findFaults(additionalProperties, member, at);
  });
  return [...missing, ...found];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
