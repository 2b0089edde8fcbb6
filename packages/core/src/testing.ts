// For authors of attempt stores: what every store must do, as tests for any runner.

export {
  describeStore,
  runCountingJob,
  type CountingJob,
  type CountingResult,
  type RegisterTest,
  type StoreHarness,
} from "./store-cases/index.ts";
