// For authors of attempt stores: what every store must do, as tests for any runner. @toolcontract/stores/testing.

export { type RegisterTest, describeStore } from "./describe-store.ts";
export { runCountingJob } from "./counting-job.ts";
export { type CountingJob, type CountingResult } from "./job.ts";
export type { StoreHarness } from "./harness.ts";
export { type LedgerHarness, describeLedger } from "./ledger-cases.ts";
export { type SpendingJob, type SpendingResult, runSpendingJob } from "./spending-job.ts";
