// The public API of @toolcontract/lint: the rules, without files, servers and commands.

export { lintTools } from "./engine/index.ts";
export type { LintedTool, LintOptions, LintReport } from "./engine/index.ts";
export { toProvider } from "@toolcontract/explain/adapter";
export type {
  Change,
  Provider,
  ProviderSchema,
  SchemaProvider,
  ToolToSend,
} from "@toolcontract/explain/adapter";
export { readTools } from "./input/index.ts";
export type { ReadTool } from "./input/index.ts";
export type { Grade, ToolGrade } from "./grade/index.ts";
export type { LintFinding, LintSeverity, LintTool, ToolForm } from "./shared/index.ts";
