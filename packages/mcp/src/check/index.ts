// Says how the tools of a server would be guarded, without running a proxy.
export { reportOf } from "./report.ts";
