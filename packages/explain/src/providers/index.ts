export {
  type FoundRefusal,
  REFUSED_SHAPES,
  type RefusalSearch,
  type RefusedShape,
  refusalsOfInput,
  refusalsOfOutput,
  refusalsOfTool,
} from "./find-refusals.ts";
export type { Provider } from "./refusal.ts";
