export { findJsonFault } from "./json-fault.ts";
export { placeOf, type Span } from "./place-of.ts";
