export { contradictionIn } from "./contradiction.ts";
export { declaredTypes } from "./fits-locally.ts";
export { sampleOf } from "./sample.ts";
