export {
  type FoundRefusal,
  REFUSED_SHAPES,
  type RefusalSearch,
  type RefusedShape,
  refusalsOfInput,
  refusalsOfOutput,
  refusalsOfTool,
} from "./find-refusals.ts";
export type { Change, Provider } from "./refusal.ts";
export { type ShownSchema, isSchemaProvider, schemasFor } from "./schemas-for.ts";
export {
  type ProviderSchema,
  type SchemaProvider,
  type ToolToSend,
  toProvider,
} from "./to-provider.ts";
