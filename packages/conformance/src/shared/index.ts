export { type Api, APIS } from "./api.ts";
export type { Check } from "./check.ts";
export {
  type Clause,
  type ClauseId,
  clauseOf,
  CLAUSES,
  type Level,
  LEVEL_NAMES,
  LEVELS,
} from "./clauses.ts";
export type {
  KitTool,
  Scenario,
  ScenarioAnswer,
  ScenarioCall,
  ScenarioFault,
  ScenarioTurn,
} from "./scenario.ts";
export type {
  PlayedCall,
  PlayedTurn,
  ProgramEnd,
  SeenCall,
  SeenEntry,
  SeenRequest,
  SeenRun,
  Transcript,
} from "./transcript.ts";
