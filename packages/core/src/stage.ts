// For authors of a stage around execution, such as guardrails: @toolcontract/core/stage. Types only.

// The stage
export type {
  ExecutionStage,
  PackageLogFields,
  StageContext,
  CallElsewhere,
  CallsElsewhere,
  ReturnedElsewhere,
  StageReports,
  StagedCall,
} from "./shared/index.ts";

// What it answers
export type {
  StageAnswer,
  StageFailure,
  StageFeedback,
  StageRefusal,
  Undone,
} from "./shared/index.ts";

// What its failures are counted under, and how they end
export type { Lane, StageLane, TypedOutcome } from "./shared/index.ts";
