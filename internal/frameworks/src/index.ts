export {
  type DeclaredTool,
  isZod,
  type MakeCall,
  type ModelCall,
  offerThrough,
  type Outcome,
  type RunTool,
} from "./offer.ts";
