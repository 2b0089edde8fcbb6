// Everything that core imports from ajv. The build makes this file an entry, so that ajv's CommonJS gets a file of its
// own, which programs that validate nothing leave out. Nothing of core may be in here, or they would need it after all.

export { Ajv } from "ajv";
export type { Format, FuncKeywordDefinition, Options } from "ajv";
export { Ajv2019 } from "ajv/dist/2019.js";
export { Ajv2020 } from "ajv/dist/2020.js";
export { formatLimitDefinition } from "ajv-formats/dist/limit.js";
