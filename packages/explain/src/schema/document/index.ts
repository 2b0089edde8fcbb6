export { codeOfKeyword, isSchema, keywordKinds } from "./keywords.ts";
export { fromGeminiSchema } from "./from-gemini.ts";
export { type Contradiction, contradictionsIn } from "./contradictions.ts";
export {
  type Dialect,
  type SchemaIndex,
  type ResolvedSchema,
  dialectsOf,
  indexSchema,
  refOverrides,
  subschemaPlaces,
} from "./schema-index.ts";
export { asksInVain } from "./impossible.ts";
export { hasCircle } from "./circles.ts";
export { multipliesWork } from "./multiplied-work.ts";
export { isSensitive, sensitivePlaces } from "./sensitive-places.ts";
export { type RepairedSchema, repairSchema } from "./repair-schema.ts";
export { patternPlaces } from "./schema-places.ts";
export { readType } from "./misspelt-type.ts";
export { isWellFormed } from "./well-formed.ts";
