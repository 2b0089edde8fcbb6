export { fileSchema } from "./file-schema.ts";
export { GUARDRAILS_IN_CODE, GUARDRAILS_TREE } from "./guardrails-schema.ts";
export {
  CODE_OPTIONS,
  FILE_OPTIONS,
  type FileOption,
  type NamedFileOption,
  OPTIONS,
  type OptionName,
  TREE,
  keysOf,
  optionPath,
  optionPointer,
  pointerOf,
  toOptions,
  valueOf,
} from "./option-table.ts";
