// A client of MCP servers: it starts or reaches one, agrees on a protocol, and sends requests. It knows no contract.
export { connect, type McpServer } from "./connect.ts";
export { createEndServer } from "./end-server.ts";
export { RequestError, ServerError } from "./errors.ts";
export { type ClientInfo } from "./greet.ts";
export { overHttp } from "./http.ts";
export { listTools } from "./list-tools.ts";
export {
  type ServerCommand,
  type ServerEnd,
  type ServerProcess,
  type SpawnedServer,
  spawnServer,
  startServer,
} from "./server-process.ts";
export { overStdio } from "./stdio.ts";
export { type Transport } from "./transport.ts";
