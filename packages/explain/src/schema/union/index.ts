export { checkUnion } from "./union.ts";
