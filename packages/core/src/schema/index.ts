export {
  type CompiledSchema,
  type SchemaCache,
  type SchemaEngine,
  createSchemaCache,
  sharedSchemaCache,
} from "./compile/index.ts";
export { indexSchema } from "./document/index.ts";
export {
  ANYTHING,
  LEAVE_OUT,
  describe,
  hintForType,
  hintForValue,
  listValues,
  nearest,
} from "./facts/index.ts";
export type { PatternEngine } from "./pattern/index.ts";
export { liftingHint } from "./walk/index.ts";
