export { type LintContext, type LintSettings, runLint } from "./run-lint.ts";
