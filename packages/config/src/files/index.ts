export {
  type AgentFile,
  type AgentPlaces,
  envFilesOf,
  findAgentFiles,
} from "./find-agent-files.ts";
export {
  CONFIG_PATH,
  type ConfigFile,
  type FindOptions,
  type Layer,
  findConfigFiles,
  homeFolder,
} from "./find-config-files.ts";
