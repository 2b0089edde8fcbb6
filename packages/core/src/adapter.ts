// What authors of adapters need beside the contract itself: @toolcontract/core/adapter.

export { contractFrom } from "./contract/index.ts";
export type { WithContract } from "./contract/index.ts";
export { isBoolean, isFunction, isObject, isText, oneOf, wholeFrom } from "./contract/index.ts";
export type { Expectation, Expectations } from "./contract/index.ts";
export { isRecord } from "./shared/index.ts";
export { nearest as nearestName } from "./schema/index.ts";
export { createEscalation } from "./message/index.ts";
export type { EscalationParts } from "./message/index.ts";
export { refusedWith } from "./call/index.ts";
export { createRecentMap } from "./shared/index.ts";
export type { RecentMap } from "./shared/index.ts";
export { errorClass } from "./observe/index.ts";
