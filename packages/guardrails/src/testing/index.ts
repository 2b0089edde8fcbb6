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
export { type OwnLoop, endOf, gate, idle, loopOf, ownLoop, stagesOf } from "./own-loop.ts";
