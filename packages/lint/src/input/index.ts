export { type ReadTool, readTools } from "./read-tools.ts";
export { toolsOfModule } from "./tools-of-module.ts";
