import { type Location, type Outcome, type Walk, nothingEvaluated } from "../walk/index.ts";
import { allowedValues } from "../facts/index.ts";
import { isRecord, stringsOf, typesOf, type SchemaObject } from "../../shared/index.ts";

const MAX_HOPS = 8;

/** One branch of a union, seen through its references. */
export interface Branch {
  readonly schema: unknown;
  /** What a message calls it. */
  readonly name: string;
  /** The values of each field that is fixed to a few of them, by field name. */
  readonly fixed: ReadonlyMap<string, readonly unknown[]>;
  readonly required: readonly string[];
  /** The schema's own parts: itself and what it joins with `allOf`, references resolved. */
  readonly parts: readonly SchemaObject[];
  outcome: Outcome;
}

/** Reads the branches of a union, each with a name that tells it from the others. */
export function resolveBranches(
  walk: Walk,
  location: Location,
  schemas: readonly unknown[],
): readonly Branch[] {
  const unnamed = schemas.map((schema) => {
    const parts = partsOf(walk, schema, location.base, MAX_HOPS);
    return {
      schema,
      parts,
      fixed: fixedFields(walk, parts, location.base),
      required: parts.flatMap((part) => stringsOf(part["required"])),
      outcome: { findings: [], evaluated: nothingEvaluated(location.value) },
    };
  });
  return unnamed.map((branch, position) => ({ ...branch, name: nameOf(unnamed, position) }));
}

type Unnamed = Omit<Branch, "name">;

function nameOf(branches: readonly Unnamed[], position: number): string {
  const branch = branches[position];
  if (!branch) return "";
  const others = branches.filter((other) => other !== branch);
  const tag = [...branch.fixed].find(
    ([name, values]) => values.length === 1 && others.some((other) => other.fixed.has(name)),
  );
  if (tag) return String(tag[1][0]);
  const own = branch.required.find((name) =>
    others.every((other) => !other.required.includes(name)),
  );
  if (own !== undefined) {
    const [value, ...more] = branch.fixed.get(own) ?? [];
    return typeof value === "string" && more.length === 0 ? value : own;
  }
  const title = branch.parts.map((part) => part["title"]).find((text) => typeof text === "string");
  if (typeof title === "string") return title;
  const reference = isRecord(branch.schema) ? branch.schema["$ref"] : undefined;
  if (typeof reference === "string") return reference.slice(reference.lastIndexOf("/") + 1);
  const declared = declaredBy(branch).find((name) =>
    others.every((other) => !declaredBy(other).includes(name)),
  );
  const [type = "", ...types] = typesBy(branch);
  const isOwnType = types.length === 0 && others.every((other) => !typesBy(other).includes(type));
  return declared ?? (isOwnType && type !== "" ? type : ordinal(position + 1));
}

function typesBy({ parts }: Unnamed): readonly string[] {
  return parts.flatMap(typesOf);
}

function declaredBy({ parts }: Unnamed): readonly string[] {
  return parts.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []));
}

/** `1st`, `2nd`, `3rd`, `4th` and so on. */
function ordinal(position: number): string {
  const isTeen = position % 100 > 10 && position % 100 < 14;
  const ending = isTeen ? undefined : ["st", "nd", "rd"][(position % 10) - 1];
  return `${position}${ending ?? "th"}`;
}

function partsOf(walk: Walk, schema: unknown, base: string, hops: number): readonly SchemaObject[] {
  if (!isRecord(schema) || hops === 0) return [];
  const inner = walk.index.baseOf(schema, base);
  const { $ref, allOf } = schema;
  const target = typeof $ref === "string" ? walk.index.resolve($ref, inner) : undefined;
  return [
    schema,
    ...(target ? partsOf(walk, target.schema, target.base, hops - 1) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => partsOf(walk, part, inner, hops - 1)) : []),
  ];
}

function fixedFields(walk: Walk, parts: readonly SchemaObject[], base: string): Branch["fixed"] {
  const fixed = new Map<string, readonly unknown[]>();
  for (const part of parts) {
    if (!isRecord(part["properties"])) continue;
    for (const [name, schema] of Object.entries(part["properties"])) {
      const values = partsOf(walk, schema, base, 2)
        .map(allowedValues)
        .find((found) => found !== undefined);
      if (values) fixed.set(name, values);
    }
  }
  return fixed;
}
