export { type AskedTool, type ServerAnswer, askTools } from "./ask-server.ts";
