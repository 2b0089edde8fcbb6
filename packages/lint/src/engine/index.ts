export {
  type FoundTool,
  type LintedTool,
  type LintOptions,
  type LintReport,
  findAll,
  lintTools,
} from "./lint-tools.ts";
