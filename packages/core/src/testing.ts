// For authors of attempt stores: what every store must do, as tests for any runner.

export { describeStore, runCountingJob } from "./store-cases/index.ts";
export type {
  CountingJob,
  CountingResult,
  RegisterTest,
  StoreHarness,
} from "./store-cases/index.ts";
