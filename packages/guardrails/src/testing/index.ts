export {
  adaptive,
  classOf,
  extrinsic,
  failureOf,
  intrinsic,
  thrownBy,
  withCode,
} from "./failures.ts";
export { contextOf } from "./guardrail-context.ts";
