import { isRecord } from "../shared/index.ts";

type Node = Readonly<Record<string, unknown>>;

/** The object that a schema describes, without unions: wide enough for all that the schema admits. */
export interface FlatObject {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Whether nothing else may be there. */
  readonly isClosed: boolean;
}

const ANY: FlatObject = { properties: new Map(), required: new Set(), isClosed: false };
const MAX_DEPTH = 8;

/** Puts the parts and variants of an object into one; `resolve` gives what a reference leads to. */
export function flatten(
  node: unknown,
  resolve: (reference: string) => unknown,
  depth = 0,
): FlatObject {
  if (!isRecord(node) || depth > MAX_DEPTH) return ANY;
  const inner = (one: unknown): FlatObject => flatten(one, resolve, depth + 1);
  const { $ref, allOf, anyOf, oneOf } = node;
  const parts = [
    ownObject(node),
    ...(typeof $ref === "string" ? [inner(resolve($ref))] : []),
    ...listOrNone(allOf).map(inner),
    ...[anyOf, oneOf].flatMap((union) => {
      const branches = listOrNone(union).filter(isOfObject);
      return branches.length === 0 ? [] : [eitherOf(branches.map(inner))];
    }),
  ];
  return parts.reduce(bothOf);
}

function ownObject({
  properties,
  required,
  additionalProperties,
  patternProperties,
}: Node): FlatObject {
  return {
    properties: new Map(isRecord(properties) ? Object.entries(properties) : []),
    required: new Set(listOrNone(required).filter((name) => typeof name === "string")),
    isClosed: additionalProperties === false && patternProperties === undefined,
  };
}

/** What two schemas both allow, or more. */
function bothOf(one: FlatObject, other: FlatObject): FlatObject {
  const properties = new Map(one.properties);
  for (const [name, schema] of other.properties) {
    const known = properties.get(name);
    properties.set(
      name,
      known === undefined || isSameJson(known, schema) ? schema : { allOf: [known, schema] },
    );
  }
  return {
    properties,
    required: new Set([...one.required, ...other.required]),
    isClosed: one.isClosed || other.isClosed,
  };
}

/** What one of several schemas allows, or more. */
function eitherOf(all: readonly FlatObject[]): FlatObject {
  const names = new Set(all.flatMap(({ properties }) => [...properties.keys()]));
  const properties = new Map<string, unknown>();
  for (const name of names) {
    const declared = all.filter((one) => one.properties.has(name));
    const schemas = declared.map((one) => one.properties.get(name));
    const others = all.filter((one) => !one.properties.has(name));
    // Where it is not declared and not forbidden, it may be anything.
    properties.set(
      name,
      others.every(({ isClosed }) => isClosed) ? unionOf(schemas) : notesOf(schemas),
    );
  }
  const [first, ...rest] = all;
  const required = [...(first?.required ?? [])].filter((name) =>
    rest.every((one) => one.required.has(name)),
  );
  return {
    properties,
    required: new Set(required),
    isClosed: all.every(({ isClosed }) => isClosed),
  };
}

function unionOf(schemas: readonly unknown[]): unknown {
  const different = schemas.filter(
    (one, index) => schemas.findIndex((other) => isSameJson(one, other)) === index,
  );
  return different.length === 1 ? different[0] : { anyOf: different };
}

/** What a model may read of a field that can be anything. */
function notesOf(schemas: readonly unknown[]): Node {
  const [description] = schemas.flatMap((one) =>
    isRecord(one) && typeof one["description"] === "string" ? [one["description"]] : [],
  );
  return description === undefined ? {} : { description };
}

/** Whether a schema can describe an object: arguments are objects, so the others do not count. */
function isOfObject(branch: unknown): boolean {
  if (!isRecord(branch)) return branch === true;
  const { type } = branch;
  return type === undefined || [type].flat().includes("object");
}

function listOrNone(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
