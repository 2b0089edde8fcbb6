// What the adapters of frameworks need of a session: @toolcontract/session/adapter. Its names may change between minors.

export { messageOf, watchedFetch } from "./requests/index.ts";
export { contextWindowOf, toolEntry } from "./accounting/index.ts";
export { SESSION_OPTIONS, checkPrices, checkTargets, splitLimits } from "./run/index.ts";
export type { SplitOptions } from "./run/index.ts";
export { REPORT_TOOL, RunOver } from "./shared/index.ts";
