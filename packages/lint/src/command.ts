// The command `toolcontract lint`, without the process around it: @toolcontract/lint/command.

export { runLint } from "./command/index.ts";
export type { LintContext, LintSettings } from "./command/index.ts";
