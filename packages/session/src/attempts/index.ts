export { classifyError } from "./classify-error.ts";
export { type JudgeOptions, judgeReply } from "./judge-reply.ts";
export { messageOf } from "./message-of.ts";
export { retryAfterMs } from "./retry-after.ts";
export {
  attemptErrorOf,
  type AttemptOptions,
  type FailedAttempt,
  runAttempts,
} from "./run-attempts.ts";
