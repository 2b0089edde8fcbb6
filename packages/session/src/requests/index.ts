export { watchedFetch, whileAlive } from "./alive.ts";
export { classifyError } from "./classify-error.ts";
export { replyEnding, truncationOf } from "./endings.ts";
export { type JudgeOptions, judgeReply } from "./judge-reply.ts";
export { messageOf } from "./message-of.ts";
export type { RateLimits } from "./pace.ts";
export { type RequestClock, startRequestClock } from "./request-clock.ts";
export {
  providerErrorOf,
  liveSignal,
  type RequestOptions,
  type FailedRequest,
  runRequests,
} from "./run-requests.ts";
