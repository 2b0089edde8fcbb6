import {
  type Expectation,
  type SchemaObject,
  isRecord,
  stringsOf,
  typesOf,
} from "../../shared/index.ts";
import { type SchemaIndex, refOverrides } from "../document/index.ts";
import { allowedValues, expectationOf } from "../hints/index.ts";
import type { WalkOutcome } from "../walk/index.ts";

const MAX_HOPS = 8;
const MAX_FIELD_HOPS = 2;

/** One branch of a union, with its references resolved. */
export interface Branch {
  readonly position: number;
  readonly schema: unknown;
  /** The name that messages use. */
  readonly name: string;
  /** Whether that is only its number. */
  readonly isNumbered: boolean;
  /** The allowed values of each field that has only a few, by field name. */
  readonly fixed: ReadonlyMap<string, readonly unknown[]>;
  readonly required: readonly string[];
  /** The schema itself and everything it joins with `$ref` and `allOf`. */
  readonly parts: readonly SchemaObject[];
  /** What it asks for. */
  readonly expects: () => Expectation;
}

/** A branch that was tried with a value, and what it found. */
export interface TriedBranch extends Branch {
  readonly outcome: WalkOutcome;
}

type Unnamed = Omit<Branch, "name" | "isNumbered">;

const readUnions = new WeakMap<SchemaIndex, WeakMap<readonly unknown[], readonly Branch[]>>();

/** Reads the branches of a union, once, and gives each a name that the others do not have. */
export function readBranches(
  index: SchemaIndex,
  schemas: readonly unknown[],
  base: string,
): readonly Branch[] {
  const unions = readUnions.get(index) ?? new WeakMap<readonly unknown[], readonly Branch[]>();
  const known = unions.get(schemas);
  if (known) return known;
  // A union that leads back to itself finds nothing new in it.
  readUnions.set(index, unions.set(schemas, []));
  const read = namedBranches(index, schemas, base);
  unions.set(schemas, read);
  return read;
}

function namedBranches(
  index: SchemaIndex,
  schemas: readonly unknown[],
  base: string,
): readonly Branch[] {
  const unnamed = schemas.map((schema, position): Unnamed => {
    const parts = composedSchemas(index, schema, base, MAX_HOPS);
    const inner = innerUnions(index, parts, base);
    return {
      position,
      schema,
      parts,
      fixed: new Map([...inner.flatMap(fixedByAll), ...fixedFields(index, parts, base)]),
      required: [
        ...parts.flatMap((part) => stringsOf(part["required"])),
        ...inner.flatMap(requiredByAll),
      ],
      expects: () => expectationOf(index, schema, base),
    };
  });
  const branchesWith = createBranchCounts(unnamed);
  return unnamed.map((branch) => {
    const name = branchName(branch, branchesWith);
    return {
      ...branch,
      name: name ?? ordinal(branch.position + 1),
      isNumbered: name === undefined,
    };
  });
}

function composedSchemas(
  index: SchemaIndex,
  schema: unknown,
  base: string,
  hops: number,
  found: Set<SchemaObject> = new Set(),
): readonly SchemaObject[] {
  if (!isRecord(schema) || hops === 0 || found.has(schema)) return [];
  found.add(schema);
  const inner = index.baseOf(schema, base);
  const { $ref, allOf } = schema;
  const target = typeof $ref === "string" ? index.resolve($ref, inner) : undefined;
  if (target) composedSchemas(index, target.schema, target.base, hops - 1, found);
  for (const part of Array.isArray(allOf) ? allOf : [])
    composedSchemas(index, part, inner, hops - 1, found);
  return [...found];
}

/** Finds the fields of which a value has one of a few values, whatever else is true of it. */
function fixedFields(
  index: SchemaIndex,
  parts: readonly SchemaObject[],
  base: string,
): Branch["fixed"] {
  // Up to draft-07 a reference overrides the keywords beside it.
  const isAsserted = ({ $ref }: SchemaObject): boolean =>
    typeof $ref !== "string" || !refOverrides(index.dialect);
  const fixed = new Map<string, readonly unknown[]>();
  for (const part of parts.filter(isAsserted)) {
    if (!isRecord(part["properties"])) continue;
    for (const [name, schema] of Object.entries(part["properties"])) {
      const values = composedSchemas(index, schema, base, MAX_FIELD_HOPS)
        .filter(isAsserted)
        .map(allowedValues)
        .find((listed) => listed !== undefined);
      if (values) fixed.set(name, values);
    }
  }
  return fixed;
}

/** The unions in a branch, whose own branches may all fix the tag of the outer one. */
function innerUnions(
  index: SchemaIndex,
  parts: readonly SchemaObject[],
  base: string,
): readonly (readonly Branch[])[] {
  return parts
    .flatMap(({ anyOf, oneOf }) => [anyOf, oneOf])
    .filter((list) => Array.isArray(list))
    .map((list) => readBranches(index, list, base));
}

/** The fields that each branch fixes, with the values of all. */
function fixedByAll([first, ...others]: readonly Branch[]): readonly FixedField[] {
  return [...(first?.fixed ?? [])].flatMap(([name, values]) => {
    const rest = others.flatMap(({ fixed }) => fixed.get(name) ?? []);
    const isFixed = others.every(({ fixed }) => fixed.has(name));
    return isFixed ? [[name, [...new Set([...values, ...rest])]] as const] : [];
  });
}

type FixedField = readonly [name: string, values: readonly unknown[]];

function requiredByAll([first, ...others]: readonly Branch[]): readonly string[] {
  return (first?.required ?? []).filter((name) =>
    others.every(({ required }) => required.includes(name)),
  );
}

/**
 * Names a branch by the first of these that it has: the value of a tag, a required field that no other branch requires,
 * a title, its reference's name, a field that no other branch declares, its type.
 */
function branchName(branch: Unnamed, branchesWith: CountBranches): string | undefined {
  const tag = [...branch.fixed].find(
    ([name, values]) => values.length === 1 && branchesWith(fixedBy, name) > 1,
  );
  if (tag) return String(tag[1][0]);
  const own = branch.required.find((name) => branchesWith(requiredBy, name) === 1);
  if (own !== undefined) {
    const [value, ...more] = branch.fixed.get(own) ?? [];
    return typeof value === "string" && more.length === 0 ? value : own;
  }
  const title = branch.parts.map((part) => part["title"]).find((text) => typeof text === "string");
  if (typeof title === "string") return title;
  const reference = isRecord(branch.schema) ? branch.schema["$ref"] : undefined;
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  const declared = declaredBy(branch).find((name) => branchesWith(declaredBy, name) === 1);
  const [type = "", ...types] = typesBy(branch);
  const isOwnType = types.length === 0 && branchesWith(typesBy, type) === 1;
  return declared ?? (isOwnType ? type : undefined);
}

type ReadNames = (branch: Unnamed) => Iterable<string>;

/** How many branches have a name among those that `read` returns. */
type CountBranches = (read: ReadNames, name: string) => number;

/** Counts each kind of names once for all branches: to compare every branch with the others takes quadratic time. */
function createBranchCounts(branches: readonly Unnamed[]): CountBranches {
  const counted = new Map<ReadNames, ReadonlyMap<string, number>>();
  return (read, name) => {
    const counts = counted.get(read) ?? nameCounts(branches, read);
    counted.set(read, counts);
    return counts.get(name) ?? 0;
  };
}

function nameCounts(branches: readonly Unnamed[], read: ReadNames): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const branch of branches)
    for (const name of new Set(read(branch))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function fixedBy({ fixed }: Unnamed): Iterable<string> {
  return fixed.keys();
}

function requiredBy({ required }: Unnamed): readonly string[] {
  return required;
}

function declaredBy({ parts }: Unnamed): readonly string[] {
  return parts.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []));
}

function typesBy({ parts }: Unnamed): readonly string[] {
  return parts.flatMap(typesOf);
}

/** Writes `1st`, `2nd`, `3rd`, `4th` and so on. */
function ordinal(position: number): string {
  const isTeen = position % 100 > 10 && position % 100 < 14;
  const ending = isTeen ? undefined : ["st", "nd", "rd"][(position % 10) - 1];
  return `${position}${ending ?? "th"}`;
}
