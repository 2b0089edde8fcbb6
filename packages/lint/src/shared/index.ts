export type { Edit, LintFinding, LintSeverity } from "./finding.ts";
export {
  type FieldPlace,
  type Place,
  type SchemaNode,
  descriptionOf,
  fieldsOf,
  isNegated,
  namedTypes,
  placesOf,
} from "./places.ts";
export { join, keysOf, valueAt } from "./pointer.ts";
export type { LintLimits, ListFacts, Report, Rule, ToolFacts } from "./rule.ts";
export type { LintTool, ToolForm } from "./tool.ts";
