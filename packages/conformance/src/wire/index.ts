export { FORMATS } from "./formats.ts";
export type { WireFormat } from "./wire-format.ts";
