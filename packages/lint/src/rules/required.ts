import { isRecord, nearest } from "@toolcontract/explain/adapter";
import { type LintRule, type Place, isNegated } from "../shared/index.ts";

/** A name in `required` that nobody declared. */
export const requiredUndeclared: LintRule = {
  name: "required-undeclared",
  severity: "warning",
  about: "required names a field that properties does not, so no model knows what to send for it.",
  fix: "declare the field, or take it out of required",
  *check({ places, pointerOf }) {
    for (const place of places) {
      const { properties, required, additionalProperties } = place.node;
      // In a closed object no value passes, which has a rule of its own.
      if (isNegated(place) || !isRecord(properties) || additionalProperties === false) continue;
      const known = [...Object.keys(properties), ...declaredAround(place)];
      for (const name of Array.isArray(required) ? (required as readonly unknown[]) : []) {
        if (typeof name !== "string" || known.includes(name) || isMatched(place, name)) continue;
        const near = nearest(name, Object.keys(properties));
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

/** The fields that the schema around a part, or its other parts, declare for the same object. */
function declaredAround({ parent, keys, node }: Place): readonly string[] {
  const parts = [node["allOf"], node["anyOf"], node["oneOf"]].flat();
  const isPart = ["allOf", "anyOf", "oneOf", "then", "else"].includes(keys[0] ?? "");
  const around = parent && isPart ? [parent.node, ...[parent.node["allOf"]].flat()] : [];
  return [...parts, ...around].flatMap((one) =>
    isRecord(one) && isRecord(one["properties"]) ? Object.keys(one["properties"]) : [],
  );
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
