export { findJsonFault } from "./json-fault.ts";
export { argumentsIn } from "./arguments-in.ts";
export { placeWithin } from "./place-of.ts";
export type { Span } from "./tree.ts";
