// All that is taken of ajv. It is an entry of the build, which gives ajv's CommonJS a file of its own: programs that
// judge nothing leave that file out. Nothing of core may be in here, or they need it after all.

export { Ajv } from "ajv";
export type { ErrorObject, Format, Options } from "ajv";
export { Ajv2019 } from "ajv/dist/2019.js";
export { Ajv2020 } from "ajv/dist/2020.js";
export { default as ajvFormats } from "ajv-formats";
