export { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
export { type ConfigTree, type ReadString, readTree } from "./read-tree.ts";
