export { META_KEY, type MetaError, type ValidationMeta } from "./answer.ts";
export { type Gate, createGate, gateOf } from "./gate.ts";
export type { Link, Ruling } from "./link.ts";
export {
  type GateMode,
  type GateOptions,
  type GateSettings,
  createGateServices,
} from "./options.ts";
