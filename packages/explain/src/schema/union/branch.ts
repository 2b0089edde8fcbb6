import { type SchemaObject, isRecord, stringsOf, typesOf } from "../../shared/index.ts";
import { allowedValues } from "../hints/index.ts";
import type { WalkOutcome, SchemaLocation, Walk } from "../walk/index.ts";

const MAX_HOPS = 8;
const MAX_FIELD_HOPS = 2;

/** One branch of a union, with its references resolved. */
export interface Branch {
  readonly schema: unknown;
  /** The name that messages use. */
  readonly name: string;
  /** The allowed values of each field that has only a few, by field name. */
  readonly fixed: ReadonlyMap<string, readonly unknown[]>;
  readonly required: readonly string[];
  /** The schema itself and everything it joins with `$ref` and `allOf`. */
  readonly parts: readonly SchemaObject[];
  readonly outcome: WalkOutcome;
}

type Unnamed = Omit<Branch, "name">;

/** Reads the branches of a union and gives each a name that the others do not have. */
export function readBranches(
  walk: Walk,
  { base }: SchemaLocation,
  schemas: readonly unknown[],
  outcomes: readonly WalkOutcome[],
): readonly Branch[] {
  const unnamed = outcomes.map((outcome, position) => {
    const schema = schemas[position];
    const parts = composedSchemas(walk, schema, base, MAX_HOPS);
    return {
      schema,
      parts,
      fixed: fixedFields(walk, parts, base),
      required: parts.flatMap((part) => stringsOf(part["required"])),
      outcome,
    };
  });
  const branchesWith = createBranchCounts(unnamed);
  return unnamed.map((branch, position) => ({
    ...branch,
    name: branchName(branch, branchesWith, position),
  }));
}

function composedSchemas(
  walk: Walk,
  schema: unknown,
  base: string,
  hops: number,
): readonly SchemaObject[] {
  if (!isRecord(schema) || hops === 0) return [];
  const inner = walk.index.baseOf(schema, base);
  const { $ref, allOf } = schema;
  const target = typeof $ref === "string" ? walk.index.resolve($ref, inner) : undefined;
  return [
    schema,
    ...(target ? composedSchemas(walk, target.schema, target.base, hops - 1) : []),
    ...(Array.isArray(allOf)
      ? allOf.flatMap((part) => composedSchemas(walk, part, inner, hops - 1))
      : []),
  ];
}

function fixedFields(walk: Walk, parts: readonly SchemaObject[], base: string): Branch["fixed"] {
  const fixed = new Map<string, readonly unknown[]>();
  for (const part of parts) {
    if (!isRecord(part["properties"])) continue;
    for (const [name, schema] of Object.entries(part["properties"])) {
      const values = composedSchemas(walk, schema, base, MAX_FIELD_HOPS)
        .map(allowedValues)
        .find((found) => found !== undefined);
      if (values) fixed.set(name, values);
    }
  }
  return fixed;
}

/**
 * Names a branch by the first of these that it has: the value of a tag, a required field that no other branch requires,
 * a title, its reference's name, a field that no other branch declares, its type, its position.
 */
function branchName(branch: Unnamed, branchesWith: CountBranches, position: number): string {
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
  return declared ?? (isOwnType ? type : ordinal(position + 1));
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
