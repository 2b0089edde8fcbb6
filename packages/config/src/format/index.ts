export {
  type FileFormat,
  type HeldByKey,
  holdsOurs,
  proxyModeHint,
  isSection,
  memberSchema,
  type OwnKeys,
  plainName,
  schemaAt,
  TOOLS_FORMAT,
} from "./file-format.ts";
export { GUARDRAILS_TREE } from "./guardrails-schema.ts";
export { LINT_KEY, LINT_OPTIONS, type LintConfig } from "./lint-schema.ts";
export {
  FILE_OPTIONS,
  type NamedFileOption,
  TREE,
  keysOf,
  optionPath,
  optionPointer,
  pointerOf,
  sectionOf,
  toOptions,
  optionValue,
} from "./option-table.ts";
export { fileSchema } from "./file-schema.ts";
