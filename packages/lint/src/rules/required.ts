import { isRecord, nearest } from "@toolcontract/explain/adapter";
import { type LintRule, type Place, type SchemaNode, isNegated } from "../shared/index.ts";

/** For how many names one that is near is looked for. */
const MAX_NEAR = 100;

/** A name in `required` that nobody declared. */
export const requiredUndeclared: LintRule = {
  name: "required-undeclared",
  severity: "warning",
  about: "required names a field that properties does not, so no model knows what to send for it.",
  fix: "declare the field, or take it out of required",
  *check({ places, pointerOf }) {
    const isDeclaredAround = createDeclared();
    let undeclared = 0;
    for (const place of places) {
      const { properties, required, additionalProperties } = place.node;
      // In a closed object no value passes, which has a rule of its own.
      if (isNegated(place) || !isRecord(properties) || additionalProperties === false) continue;
      for (const name of Array.isArray(required) ? (required as readonly unknown[]) : []) {
        if (typeof name !== "string" || Object.hasOwn(properties, name)) continue;
        if (isMatched(place, name) || isDeclaredAround(place, name)) continue;
        undeclared += 1;
        const near = undeclared <= MAX_NEAR ? nearest(name, Object.keys(properties)) : undefined;
        yield {
          path: pointerOf(place, "required"),
          message: `"${name.slice(0, 64)}" is required, and nobody declares it`,
          fix:
            near === undefined
              ? undefined
              : `write ${JSON.stringify(near)}, which is declared, or declare the field`,
        };
      }
    }
  },
};

/** Tells whether the schema around a part, or its other parts, declare a field for the same object; reads each schema once. */
function createDeclared(): (place: Place, name: string) => boolean {
  const inParts = rememberedOf(({ allOf, anyOf, oneOf }) => [allOf, anyOf, oneOf].flat());
  const around = rememberedOf((node) => [node, ...[node["allOf"]].flat()]);
  return ({ parent, keys, node }, name) => {
    const isPart = ["allOf", "anyOf", "oneOf", "then", "else"].includes(keys[0] ?? "");
    return inParts(node).has(name) || (isPart && parent ? around(parent.node).has(name) : false);
  };
}

/** The fields that some schemas declare, kept for each schema that they are of. */
function rememberedOf(
  schemasOf: (node: SchemaNode) => readonly unknown[],
): (node: SchemaNode) => ReadonlySet<string> {
  const known = new Map<SchemaNode, ReadonlySet<string>>();
  return (node) => {
    const names =
      known.get(node) ??
      new Set(
        schemasOf(node).flatMap((one) =>
          isRecord(one) && isRecord(one["properties"]) ? Object.keys(one["properties"]) : [],
        ),
      );
    known.set(node, names);
    return names;
  };
}

/** Whether other schemas may declare a name. */
function isMatched({ node }: Place, name: string): boolean {
  const { patternProperties, $ref } = node;
  return typeof $ref === "string" || (isRecord(patternProperties) && name !== "");
}

/** A field that has a default, and that a call must have. */
export const defaultRequired: LintRule = {
  name: "default-required",
  severity: "warning",
  about:
    "A field with a default is required, so a call that leaves it out is refused in place of getting the default.",
  fix: "take the field out of required, or leave the default out",
  *check({ fields, pointerOf }) {
    for (const field of fields)
      // A default of null says that null may be sent.
      if (field.isRequired && (field.node["default"] ?? null) !== null && !isNegated(field))
        yield {
          path: pointerOf(field),
          message: `The field "${field.name.slice(0, 64)}" has a default and is required`,
        };
  },
};
