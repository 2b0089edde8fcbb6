export { type ReadTool, readTools } from "./read-tools.ts";
