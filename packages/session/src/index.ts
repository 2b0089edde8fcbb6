export type { SessionLimits } from "./shared/index.ts";
