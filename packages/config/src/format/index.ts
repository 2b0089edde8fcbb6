export { AGENT_FORMAT } from "./agent-format.ts";
export { agentSchema } from "./agent-schema.ts";
export {
  type FileFormat,
  isSection,
  memberSchema,
  type OwnKeys,
  plainName,
  TOOLS_FORMAT,
} from "./file-format.ts";
export { GUARDRAILS_TREE } from "./guardrails-schema.ts";
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
  valueOf,
} from "./option-table.ts";
export type { ModelSettings, SessionConfig } from "./settings.ts";
export { MODEL_SETTINGS, SESSION_FILE_OPTIONS } from "./session-table.ts";
