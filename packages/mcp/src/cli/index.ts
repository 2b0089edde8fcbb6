// The command toolcontract-mcp. What is slow to load is imported late, so that the server starts first.
export { main } from "./main.ts";
export type { StandardStreams } from "./run.ts";
