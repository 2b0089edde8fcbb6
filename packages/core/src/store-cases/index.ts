export { type RegisterTest, describeStore } from "./describe-store.ts";
export { type CountingJob, type CountingResult, runCountingJob } from "./counting-job.ts";
export type { StoreHarness } from "./harness.ts";
