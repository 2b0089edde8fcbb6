export { EXIT, runCommand } from "./run-command.ts";
