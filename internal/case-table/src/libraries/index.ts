// Schemas of zod 3 and valibot, for adapters whose frameworks convert them.
export { describeLibraries } from "./describe-libraries.ts";
export type { LibrariesHost } from "./describe-libraries.ts";
