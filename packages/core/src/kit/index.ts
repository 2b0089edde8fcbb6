export { failureClass, returnedStatus } from "./failure-class.ts";
export {
  type FailureFacts,
  failureFacts,
  isErrorStatus,
  namesOf,
  statusOf,
  textsOf,
} from "./failure-facts.ts";
export { durationOf, headerOf, retryAfterIn } from "./retry-after.ts";
export { causeChain, causesOf, firstOf, isAnyObject, isArray, isError, partsOf } from "./thrown.ts";
export { viewOf } from "./view-of.ts";
export {
  isTimeLimit,
  type Limit,
  type LimitOptions,
  LONGEST_TIMER_MS,
  onAbort,
  sleep,
  startLimit,
  timeLimitError,
  untilAborted,
  within,
} from "./wait.ts";
