export {
  type FoundTool,
  type LintedTool,
  type LintOptions,
  type LintReport,
  findAll,
  lintTools,
  proofsFor,
} from "./lint-tools.ts";
