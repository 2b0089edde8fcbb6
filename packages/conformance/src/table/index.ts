export {
  type CreateHarness,
  describeCases,
  type DescribeAdapterOptions,
  type Observers,
} from "./describe-cases.ts";
export { describeSessionRows } from "./describe-session-rows.ts";
export { nodeExpect } from "./node-expect.ts";
export type { Runner } from "./runner.ts";
