export {
  CONFIG_PATH,
  type ConfigFile,
  type FindOptions,
  type Layer,
  findConfigFiles,
  homeFolder,
} from "./find-config-files.ts";
export { type Environment, type LayerVariables, layerVariables, readText } from "./read-files.ts";
