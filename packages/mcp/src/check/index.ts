// Asks a server for its tools and says how they would be guarded, without running a proxy.
export { Unreached } from "./connection.ts";
export { listTools, type ServerTools } from "./list-tools.ts";
export { connectHttp } from "./over-http.ts";
export { connectStdio } from "./over-stdio.ts";
export { reportOf } from "./report.ts";
