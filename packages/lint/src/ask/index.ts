export { type AskedTool, type Answer, askServer } from "./ask-server.ts";
