export {
  type CreateHarness,
  describeCases,
  type DescribeAdapterOptions,
  type Observers,
} from "./describe-cases.ts";
export { nodeExpect } from "./node-expect.ts";
