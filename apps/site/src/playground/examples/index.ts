export { EXAMPLES } from "./examples.ts";
export type { Example } from "./example.ts";
