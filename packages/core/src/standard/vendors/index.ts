export { readArktypeIssue } from "./arktype.ts";
export { readValibotIssue, valibotRule } from "./valibot.ts";
export { readZodIssue, zodFormat } from "./zod.ts";
export {
  type BrokenRule,
  type IssueReader,
  type IssueReading,
  type StandardIssue,
  broken,
  patternSource,
  textPattern,
} from "./issue.ts";
