export { failureReason } from "./failure-reason.ts";
export { type HeldSlot, holdSlot } from "./hold-slot.ts";
export { iterateInQueue, type Within } from "./iterate-in-queue.ts";
export { checkQueues, createQueues } from "./queues.ts";
export type { TimeLimit } from "./time-limit.ts";
export { iterateWithTimeout, withTimeout } from "./time-limit.ts";
export type { TruncatedText, TruncatedTexts } from "./truncate.ts";
export { truncateText, truncateTexts } from "./truncate.ts";
