export { replay } from "./replay.ts";
export type { Replay } from "./replay.ts";
export type { Turn } from "./send-all.ts";
