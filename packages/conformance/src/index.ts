export { outputOf } from "@toolcontract/case-table/run-case";
export type { KitEnvironment, Program } from "./play/index.ts";
export { type ConformanceOptions, type ConformanceReport, runConformance } from "./run/index.ts";
export {
  type Api,
  type Check,
  type Clause,
  type ClauseId,
  type KitTool,
  type Level,
  type Scenario,
  type ScenarioAnswer,
  type ScenarioCall,
  type ScenarioFault,
  type ScenarioTurn,
} from "./shared/index.ts";
