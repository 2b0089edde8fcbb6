export {
  type Dialect,
  type SchemaIndex,
  type SchemaNode,
  dialectsOf,
  indexSchema,
  refOverrides,
} from "./schema-index.ts";
export { isSensitive, sensitivePlaces } from "./sensitive-places.ts";
export { type RepairedSchema, patternPlaces, repairSchema } from "./repair-schema.ts";
export { isRecursive, isWellFormed } from "./well-formed.ts";
