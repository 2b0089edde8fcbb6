// What authors of adapters need beside the contract itself: @toolcontract/core/adapter.

export { contractFrom } from "./contract/contract-from.ts";
export type { WithContract } from "./contract/contract-from.ts";
export {
  isBoolean,
  isFunction,
  isObject,
  isText,
  oneOf,
  wholeFrom,
} from "./contract/expectation.ts";
export type { Expectation, Expectations } from "./contract/expectation.ts";
export { isRecord } from "./shared/json.ts";
export { nearest as nearestName } from "./schema/facts/near-name.ts";
export { createEscalation } from "./message/escalation.ts";
export type { EscalationParts } from "./message/escalation.ts";
export { refusedWith } from "./call/decision.ts";
export { createRecentMap } from "./shared/bounded-cache.ts";
export type { RecentMap } from "./shared/bounded-cache.ts";
export { errorClass } from "./observe/logger.ts";
