export { fileSchema } from "./file-schema.ts";
export {
  CODE_OPTIONS,
  FILE_OPTIONS,
  type FileOption,
  type NamedFileOption,
  OPTIONS,
  type OptionName,
  TREE,
  optionPath,
  optionPointer,
  pointerOf,
  toOptions,
  valueOf,
} from "./option-table.ts";
