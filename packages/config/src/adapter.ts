// For programs with settings of their own in the same files: @toolcontract/config/adapter. Its names may change between minors.

// Finding and reading layers
export { CONFIG_PATH, homeFolder, systemFolder, withoutRepetition } from "./files/index.ts";
export {
  checkLoadOptions,
  commitFaults,
  configError,
  contractOf,
  folderOrNone,
  missingVariable,
  originAt,
  projectOf,
  readLayer,
  readText,
  START,
  writtenPointer,
} from "./load/index.ts";
export type { LayerReading } from "./load/index.ts";

// What a file may hold
export {
  fileSchema,
  isSection,
  keysOf,
  memberSchema,
  plainName,
  pointerOf,
  schemaAt,
  TOOLS_FORMAT,
} from "./format/index.ts";
export type { FileFormat } from "./format/index.ts";
