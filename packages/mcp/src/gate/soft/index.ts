// Calls that are invalid by the schema and that some servers accept: which they are, and what a server made of one.
export { isSoft } from "./is-soft.ts";
export { serverVerdict } from "./server-verdict.ts";
export { mayBeUndeclared, undeclaredFields } from "./undeclared.ts";
