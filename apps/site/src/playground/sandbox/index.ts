export { startSandboxed } from "./start-sandboxed.ts";
