export { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
export { type ConfigTree, type ReadText, readTree } from "./read-tree.ts";
