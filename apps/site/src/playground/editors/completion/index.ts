export { jsonCompletion } from "./json-completion.ts";
export { TOOL_SCHEMA } from "./tool-schema.ts";
