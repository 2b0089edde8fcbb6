export { createLintClient } from "./lint-client.ts";
export type { LintedText } from "./lint-text.ts";
export { LINT_EXAMPLE } from "./lint-example.ts";
