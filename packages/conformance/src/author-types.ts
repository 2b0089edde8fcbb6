// What an author of an adapter, a session or a store writes, whichever runner runs the table.
export type {
  AdapterHarness,
  CallReport,
  Capability,
  CaseCall,
  CaseOptions,
  CaseTool,
  CaseTurn,
  ConformanceCase,
} from "@toolcontract/case-table/run-case";
export type {
  CaseError,
  CaseReply,
  SeenMessage,
  SeenRequest,
  SeenResult,
  SessionHost,
  SessionNeed,
  World,
  WorldHost,
  WorldTarget,
  WorldTool,
} from "@toolcontract/case-table/run-session";
export type { CreateHarness, DescribeAdapterOptions, Observers } from "./table/index.ts";
export type { CountingJob, CountingResult, StoreHarness } from "@toolcontract/stores/testing";
