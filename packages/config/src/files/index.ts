export {
  CONFIG_PATH,
  type ConfigFile,
  type FindOptions,
  type Layer,
  findConfigFiles,
  homeFolder,
  systemFolder,
  withoutRepetition,
} from "./find-config-files.ts";
