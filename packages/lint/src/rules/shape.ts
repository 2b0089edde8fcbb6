import { isRecord } from "@toolcontract/explain/adapter";
import { declaredTypes } from "../proof/index.ts";
import { type Place, type LintRule, type SchemaNode, namedTypes } from "../shared/index.ts";

/** Variants of an object that nothing tells apart. */
export const unionUntagged: LintRule = {
  name: "union-untagged",
  severity: "warning",
  about: "The variants of a union have no field with a fixed value that tells them apart.",
  fix: 'give each variant a required field with its own const, such as "type"',
  numbers: "A message about a union without a tag has to explain every variant.",
  *check({ places, parts, pointerOf }) {
    for (const place of places)
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = place.node[keyword];
        if (!Array.isArray(branches)) continue;
        const objects = branches
          .map((branch: unknown) =>
            resolvedBranch(branch, (reference) => parts?.resolve(reference)),
          )
          .filter((one) => one !== undefined && describesObject(one));
        // A call that fits none of the others fits the one that takes every object.
        if (keyword === "anyOf" && objects.some((one) => takesEveryObject(one as SchemaNode)))
          continue;
        if (objects.length < 2 || hasTag(objects as readonly SchemaNode[])) continue;
        yield {
          path: pointerOf(place, keyword),
          message: `No field tells the ${objects.length} variants apart`,
        };
      }
  },
};

function resolvedBranch(
  branch: unknown,
  resolve: (reference: string) => unknown,
): SchemaNode | undefined {
  if (!isRecord(branch)) return undefined;
  const { $ref } = branch;
  const target = typeof $ref === "string" ? resolve($ref) : branch;
  return isRecord(target) ? target : undefined;
}

function describesObject(node: SchemaNode): boolean {
  return namedTypes(node).includes("object") || isRecord(node["properties"]);
}

const SAYS_NO_VALUE = new Set([
  "type",
  "title",
  "description",
  "properties",
  "additionalProperties",
]);

function takesEveryObject(node: SchemaNode): boolean {
  const { additionalProperties: more = true } = node;
  const isOpen = more === true || (isRecord(more) && Object.keys(more).length === 0);
  const declared = Object.keys(declaredIn(node)).length;
  return isOpen && declared === 0 && Object.keys(node).every((one) => SAYS_NO_VALUE.has(one));
}

/** Whether every two variants have the same field with a fixed value, or each a required field that the other does not have. */
function hasTag(branches: readonly SchemaNode[]): boolean {
  return branches.every((one, index) =>
    branches.slice(index + 1).every((other) => areToldApart(one, other)),
  );
}

function areToldApart(one: SchemaNode, other: SchemaNode): boolean {
  const [fields, others] = [declaredIn(one), declaredIn(other)];
  const isTagged = Object.keys(fields).some(
    (name) => isFixed(fields[name]) && isFixed(others[name]),
  );
  return isTagged || (requiresBeside(one, others) && requiresBeside(other, fields));
}

function declaredIn({ properties }: SchemaNode): SchemaNode {
  return isRecord(properties) ? properties : {};
}

function isFixed(field: unknown): boolean {
  return isRecord(field) && (Object.hasOwn(field, "const") || Array.isArray(field["enum"]));
}

/** Whether a variant requires a field that another one does not declare. */
function requiresBeside({ required }: SchemaNode, others: SchemaNode): boolean {
  return Array.isArray(required) && required.some((name) => !Object.hasOwn(others, String(name)));
}

/** Objects inside objects inside lists. */
export const deepNesting: LintRule = {
  name: "deep-nesting",
  severity: "warning",
  about: "Arguments are nested so deeply that models lose track of where a field belongs.",
  fix: "take fields up, or split the tool",
  numbers:
    "60 of 486 missing fields are nested; 356 undeclared fields of real calls belong one level deeper or higher.",
  *check({ places, pointerOf }, { limits }) {
    const deepest = places.reduce<Place | undefined>(
      (deep, place) => (place.depth > (deep?.depth ?? 0) ? place : deep),
      undefined,
    );
    if (deepest === undefined || deepest.depth <= limits.depth) return;
    yield { path: pointerOf(deepest), message: `Values are nested ${deepest.depth} levels deep` };
  },
};

/** Numbers or booleans that must be sent as strings. */
export const quotedEnum: LintRule = {
  name: "quoted-enum",
  severity: "warning",
  about: "The values of an enum are numbers or booleans in quotes, and models send them without.",
  fix: "take the quotes away, and set the type",
  numbers: "108 real calls sent a number or boolean for a string, 96 the other way round.",
  *check({ places, pointerOf }) {
    for (const place of places) {
      const { enum: values } = place.node;
      if (!Array.isArray(values) || values.length === 0) continue;
      const isQuoted = (value: unknown): boolean =>
        typeof value === "string" && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value);
      if (values.every(isQuoted))
        yield {
          path: pointerOf(place, "enum"),
          message: "All values of the enum are numbers or booleans in quotes",
        };
    }
  },
};

/** Optional fields that refuse null. */
export const nullRefused: LintRule = {
  name: "null-refused",
  severity: "info",
  about: "Models fill optional fields with null, and the schema refuses it.",
  fix: "allow null, or drop it before validating: dropNulls of the contract",
  numbers:
    "271 of 1,902 invalid real calls sent null for an optional field, the most frequent fault of the newest models measured.",
  *check({ tool, fields, parts }) {
    const refusing = fields.filter(
      ({ node, isRequired }) => !isRequired && parts?.accepts(node, null) === false,
    );
    if (refusing.length === 0) return;
    const names = refusing.slice(0, 3).map(({ name }) => name);
    const more = refusing.length > 3 ? ` and ${refusing.length - 3} more` : "";
    yield {
      path: tool.at.inputSchema,
      message: `${refusing.length === 1 ? "An optional field refuses" : "Optional fields refuse"} null: ${names.join(", ")}${more}`,
    };
  },
};

/** Arguments that nobody declared. */
export const undeclaredAccepted: LintRule = {
  name: "undeclared-accepted",
  severity: "info",
  about:
    "The schema accepts fields that it does not declare; a tool that passes its arguments on breaks at them.",
  fix: 'add "additionalProperties": false, or set unknownFields: "reject"',
  numbers:
    "278 valid real calls had undeclared fields; where the execution is logged, 36 of 37 crashed the tool.",
  *check({ tool }) {
    const schema = tool.inputSchema;
    const declared = isRecord(schema) ? schema["properties"] : undefined;
    // A tool without arguments reads none.
    if (!isRecord(schema) || !isRecord(declared) || Object.keys(declared).length === 0) return;
    const closing = [
      "additionalProperties",
      "unevaluatedProperties",
      "patternProperties",
      "allOf",
      "anyOf",
      "oneOf",
      "$ref",
    ];
    if (closing.some((keyword) => Object.hasOwn(schema, keyword))) return;
    yield {
      path: tool.at.inputSchema,
      message: "Fields that the schema does not declare are accepted",
    };
  },
};

/** A schema for the result that clients cannot use. */
export const outputSchema: LintRule = {
  name: "output-schema",
  severity: "warning",
  about:
    "The schema of an MCP tool's result must be that of an object, or clients refuse the tool or its results.",
  fix: 'wrap the result: "type": "object" with one property',
  *check({ tool }) {
    const { outputSchema: schema } = tool;
    if (!isRecord(schema)) return;
    const types = declaredTypes(schema);
    if (types?.length === 1 && types[0] === "object") return;
    yield { path: tool.at.outputSchema, message: "The output schema is not one of an object" };
  },
};
