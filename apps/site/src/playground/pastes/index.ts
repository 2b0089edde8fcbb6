export { languageOf } from "./language-of.ts";
export { readCalls } from "./read-calls.ts";
export { readTool, type Validator } from "./read-tool.ts";
