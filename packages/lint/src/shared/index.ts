export type { Edit, LintFinding, LintSeverity } from "./finding.ts";
export { MAX_LEVELS, isTooDeep } from "./levels.ts";
export {
  type FieldPlace,
  type Place,
  type SchemaNode,
  descriptionOf,
  fieldsOf,
  isNegated,
  requiredNames,
  namedTypes,
  placesOf,
} from "./places.ts";
export type { JsonObject } from "./json-object.ts";
export { join, valueAt } from "./pointer.ts";
export type { LintLimits, ListFacts, RuleReport, LintRule, DeclaredTool } from "./rule.ts";
export type { LintTool, ToolForm } from "./tool.ts";
