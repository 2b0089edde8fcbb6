import { fileURLToPath } from "node:url";
import { type McpServer, startMcpServer } from "./mcp-server.ts";

const SERVER = import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");

/** The official filesystem server, a script with arguments; it may use one folder. */
export function filesystemCommand(folder: string): readonly string[] {
  return [fileURLToPath(SERVER), folder];
}

/** Starts the official filesystem server as a child process. */
export async function startFilesystemServer(folder: string): Promise<McpServer> {
  return startMcpServer(filesystemCommand(folder), folder);
}
