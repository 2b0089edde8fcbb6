import { isRecord } from "@toolcontract/explain/adapter";
import { type Place, type LintRule, isNegated, requiredNames } from "../shared/index.ts";

/** A provider whose strict mode takes a part of JSON Schema. */
interface Provider {
  readonly name: string;
  /** Keywords that it refuses. */
  readonly refused: readonly string[];
  /** Every object must be closed. */
  readonly isClosed: boolean;
  /** Every property must be required. */
  readonly isComplete: boolean;
}

const COMPOSITION = ["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else"];

/** From the providers' documents on structured outputs and function declarations. */
const PROVIDERS: readonly Provider[] = [
  {
    name: "OpenAI",
    refused: [
      ...COMPOSITION,
      "oneOf",
      "patternProperties",
      "propertyNames",
      "minProperties",
      "maxProperties",
      "unevaluatedProperties",
      "unevaluatedItems",
      "contains",
      "minContains",
      "maxContains",
      "uniqueItems",
    ],
    isClosed: true,
    isComplete: true,
  },
  {
    name: "Anthropic",
    refused: [
      "not",
      "if",
      "then",
      "else",
      "dependentRequired",
      "dependentSchemas",
      "patternProperties",
      "propertyNames",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "multipleOf",
      "minLength",
      "maxLength",
      "maxItems",
      "uniqueItems",
    ],
    isClosed: true,
    isComplete: false,
  },
  {
    name: "Gemini",
    refused: [
      "not",
      "if",
      "then",
      "else",
      "dependentRequired",
      "dependentSchemas",
      "patternProperties",
      "propertyNames",
      "contains",
      "uniqueItems",
      "multipleOf",
      "unevaluatedProperties",
      "const",
    ],
    isClosed: false,
    isComplete: false,
  },
];

/** A schema that the strict mode of a provider does not take. */
export const providerRefuses: LintRule = {
  name: "provider-refuses",
  severity: "info",
  about:
    "The strict mode of a provider takes only a part of JSON Schema, and refuses the tool or ignores the rest.",
  fix: "leave the keywords out for this provider, and let the contract validate them",
  *check({ tool, places }) {
    const providersOf = new Map<string, readonly string[]>();
    for (const provider of PROVIDERS) {
      const faults = [...new Set(places.flatMap((place) => faultsOf(place, provider)))];
      if (faults.length === 0) continue;
      const more = faults.length > 4 ? ` and ${faults.length - 4} more` : "";
      const what = `${faults.slice(0, 4).join(", ")}${more}`;
      providersOf.set(what, [...(providersOf.get(what) ?? []), provider.name]);
    }
    for (const [what, names] of providersOf)
      yield {
        path: tool.at.inputSchema,
        message: `Strict mode of ${names.join(" and of ")} does not take ${what}`,
      };
  },
};

function faultsOf(place: Place, { refused, isClosed, isComplete }: Provider): readonly string[] {
  if (isNegated(place)) return [];
  const { properties, additionalProperties } = place.node;
  const used = refused.filter((keyword) => Object.hasOwn(place.node, keyword));
  if (!isRecord(properties)) return used;
  const required = requiredNames(place.node);
  const isOptional = Object.keys(properties).some((name) => !required.has(name));
  return [
    ...used,
    ...(isClosed && additionalProperties !== false
      ? ["objects without additionalProperties: false"]
      : []),
    ...(isComplete && isOptional ? ["optional fields"] : []),
  ];
}
