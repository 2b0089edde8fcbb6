import { type JsonSchema, isRecord } from "../shared/index.ts";
import { type ReadChild, type ReadNode, readBounded } from "./bounded-reader.ts";
import { listOf, listing, nullable, withRule } from "./schema-parts.ts";
import { numberRule, textRule } from "./zod3-checks.ts";

type Definition = Readonly<Record<string, unknown>>;

/** Reads a zod 3 schema as JSON Schema, good enough to explain with; undefined for anything else. */
export function zod3Schema(validator: unknown): JsonSchema | undefined {
  return definitionOf(validator) ? readBounded(validator, readNode) : undefined;
}

function definitionOf(node: unknown): Definition | undefined {
  const definition = isRecord(node) ? node["_def"] : undefined;
  return isRecord(definition) && typeof definition["typeName"] === "string"
    ? definition
    : undefined;
}

const readNode: ReadNode = (node, read) => {
  const definition = definitionOf(node);
  return definition ? readDefinition(definition, read) : {};
};

function readDefinition(definition: Definition, read: ReadChild): JsonSchema {
  switch (definition["typeName"]) {
    case "ZodString":
      return checked(definition, { type: "string" }, textRule);
    case "ZodNumber":
      return checked(definition, { type: "number" }, numberRule);
    case "ZodBoolean":
      return { type: "boolean" };
    case "ZodNull":
      return { type: "null" };
    case "ZodDate":
      return { type: "string", format: "date-time" };
    case "ZodNever":
      return false;
    case "ZodLiteral":
      return listing([definition["value"]]);
    case "ZodEnum":
      return listing(listOf(definition["values"]));
    case "ZodNativeEnum":
      return enumMembers(definition["values"]);
    default:
      return readWrapper(definition, read) ?? readComposite(definition, read);
  }
}

function readComposite(definition: Definition, read: ReadChild): JsonSchema {
  const { typeName, options } = definition;
  switch (typeName) {
    case "ZodObject":
      return readObject(definition, read);
    case "ZodArray":
      return readArray(definition, read);
    case "ZodTuple":
      return readTuple(definition, read);
    case "ZodRecord":
      return {
        type: "object",
        propertyNames: read(definition["keyType"]),
        additionalProperties: read(definition["valueType"]),
      };
    case "ZodUnion":
      return { anyOf: listOf(options).map(read) };
    case "ZodDiscriminatedUnion":
      return { oneOf: listOf(options).map(read) };
    case "ZodIntersection":
      return { allOf: [read(definition["left"]), read(definition["right"])] };
    default:
      return {};
  }
}

/** The input side of what only wraps another schema. */
function readWrapper(definition: Definition, read: ReadChild): JsonSchema | undefined {
  switch (definition["typeName"]) {
    case "ZodOptional":
    case "ZodDefault":
    case "ZodReadonly":
      return read(definition["innerType"]);
    case "ZodNullable":
      return nullable(read(definition["innerType"]));
    case "ZodEffects":
      return read(definition["schema"]);
    case "ZodBranded":
      return read(definition["type"]);
    case "ZodPipeline":
      return read(definition["in"]);
    case "ZodLazy":
      return read(call(definition["getter"]));
    default:
      return undefined;
  }
}

function readObject(definition: Definition, read: ReadChild): JsonSchema {
  const shape = Object.entries(call(definition["shape"]) ?? {});
  const required = shape.filter(([, field]) => !mayBeLeftOut(field, 8)).map(([name]) => name);
  const rest = definition["unknownKeys"] === "strict" ? false : read(definition["catchall"]);
  const isStripped = definition["unknownKeys"] !== "strict" && rest === false;
  return {
    type: "object",
    properties: Object.fromEntries(shape.map(([name, field]) => [name, read(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(isStripped ? {} : { additionalProperties: rest }),
  };
}

const LEFT_OUT: ReadonlySet<unknown> = new Set([
  "ZodOptional",
  "ZodDefault",
  "ZodCatch",
  "ZodAny",
  "ZodUnknown",
  "ZodUndefined",
  "ZodVoid",
]);

function mayBeLeftOut(field: unknown, hops: number): boolean {
  const definition = definitionOf(field);
  if (!definition || hops === 0) return true;
  const { typeName, options } = definition;
  if (LEFT_OUT.has(typeName)) return true;
  if (typeName === "ZodUnion")
    return listOf(options).some((option) => mayBeLeftOut(option, hops - 1));
  if (typeName === "ZodLazy") return mayBeLeftOut(call(definition["getter"]), hops - 1);
  const inner = definition["innerType"] ?? definition["schema"] ?? definition["in"];
  return inner !== undefined && mayBeLeftOut(inner, hops - 1);
}

function readArray(definition: Definition, read: ReadChild): JsonSchema {
  const [least, most, exactly] = ["minLength", "maxLength", "exactLength"].map((name) => {
    const limit = definition[name];
    return isRecord(limit) ? limit["value"] : undefined;
  });
  const minItems = least ?? exactly;
  const maxItems = most ?? exactly;
  return {
    type: "array",
    items: read(definition["type"]),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

function readTuple(definition: Definition, read: ReadChild): JsonSchema {
  const items = listOf(definition["items"]);
  const hasRest = isRecord(definition["rest"]);
  return {
    type: "array",
    prefixItems: items.map(read),
    minItems: items.length,
    ...(hasRest ? { items: read(definition["rest"]) } : { maxItems: items.length }),
  };
}

function checked(
  definition: Definition,
  schema: JsonSchema,
  ruleOf: (check: Definition) => JsonSchema | undefined,
): JsonSchema {
  return listOf(definition["checks"])
    .filter(isRecord)
    .reduce<JsonSchema>((sum, check) => withRule(sum, ruleOf(check)), schema);
}

function enumMembers(values: unknown): JsonSchema {
  const entries = Object.entries(isRecord(values) ? values : {});
  // A numeric enum maps back from its numbers to its names as well.
  const members = entries.filter(([name]) => !/^-?\d/.test(name)).map(([, value]) => value);
  return listing(members);
}

function call(getter: unknown): unknown {
  try {
    return typeof getter === "function" ? (getter() as unknown) : undefined;
  } catch {
    // Lazy schemas may refer to what is not defined yet; they are left open.
    return undefined;
  }
}
