// What authors of adapters need beside the contract itself: @toolcontract/core/adapter.

export { contractFrom } from "./contract-from.ts";
export type { WithContract } from "./contract-from.ts";
export { isBoolean, isFunction, isObject, isText, oneOf, wholeFrom } from "./setup/expectation.ts";
export type { Expectation, Expectations } from "./setup/expectation.ts";
export { isRecord } from "./explain/json-type.ts";
export { nearest as nearestName } from "./explain/near.ts";
export { createEscalation } from "./escalation.ts";
export type { EscalationParts } from "./escalation.ts";
export { refusedWith } from "./refused-with.ts";
export { createRecentMap } from "./recent-map.ts";
export type { RecentMap } from "./recent-map.ts";
export { errorClass } from "./observe/error-class.ts";
