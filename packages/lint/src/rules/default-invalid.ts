import { hasInexactNumbers } from "@toolcontract/explain/adapter";
import { type Edit, isNegated, namedTypes, type Place, type LintRule } from "../shared/index.ts";

/** A default that its own schema refuses. */
export const defaultInvalid: LintRule = {
  name: "default-invalid",
  severity: "error",
  about:
    "The default of a field is refused by the field's own schema, and models send what they read.",
  fix: "correct the default, allow its type, or leave the default out",
  numbers:
    '41 real calls sent the text "None" for a list because the schema\'s own default said so.',
  *check({ places, parts, pointerOf }) {
    if (!parts) return;
    for (const place of places) {
      if (isNegated(place) || !Object.hasOwn(place.node, "default")) continue;
      const { default: standard, ...schema } = place.node;
      if (parts.accepts(schema, standard)) continue;
      const path = pointerOf(place, "default");
      const value = unquoted(place, standard);
      const isRight = value !== undefined && parts.accepts(schema, value);
      const edit: readonly Edit[] = [{ kind: "set", pointer: path, value }];
      yield {
        path,
        message: `The default ${shortJson(standard)} is refused by its own schema`,
        ...(standard === null && { fix: "leave the default out, or allow null" }),
        ...(isRight && { fix: `write ${JSON.stringify(value)} without quotes`, edit }),
      };
    }
  },
};

/** A number or boolean that was written as a string. */
function unquoted({ node }: Place, standard: unknown): number | boolean | undefined {
  if (typeof standard !== "string") return undefined;
  const types = namedTypes(node);
  const text = standard.trim();
  if (types.includes("boolean") && /^(?:true|false)$/i.test(text))
    return text.toLowerCase() === "true";
  const isNumber = types.includes("integer") || types.includes("number");
  const isExact = /^-?\d+(?:\.\d+)?$/.test(text) && !hasInexactNumbers(text);
  return isNumber && isExact ? Number(text) : undefined;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
