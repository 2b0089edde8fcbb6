export { compileAjv } from "./ajv-judge.ts";
