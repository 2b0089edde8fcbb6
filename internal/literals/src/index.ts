export { readLiteral } from "./read-literal.ts";
