// What the adapters of frameworks need of a session: @toolcontract/session/adapter. Its names may change between minors.

export { classifyError, messageOf, retryAfterMs, watchedFetch } from "./requests/index.ts";
export { contextWindowOf, toolEntry } from "./accounting/index.ts";
export { reportFromText, reportValidator } from "./report/index.ts";
export { SESSION_OPTIONS, checkPrices, checkTargets, splitLimits } from "./run/index.ts";
export type { SplitOptions } from "./run/index.ts";
export { REPORT_TOOL, RunOver, TIMEOUT } from "./shared/index.ts";
export { holdSlot, iterateWithTimeout } from "./tools/index.ts";
