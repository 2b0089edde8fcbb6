// Calls that come again, and what is counted of them: what a host must keep, whatever its framework repeats.
export { describeReplays } from "./describe-replays.ts";
export { LARGE } from "./replays-kit.ts";
export type { Payment, PaymentMessage, ReplayKit } from "./replays-kit.ts";
