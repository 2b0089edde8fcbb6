export { arktypeWords, readArktypeIssue } from "./arktype.ts";
export { readValibotIssue } from "./valibot.ts";
export { readZodIssue } from "./zod.ts";
export {
  type BrokenRule,
  type IssueReader,
  type IssueReading,
  type ReadOwn,
  type StandardIssue,
  broken,
} from "./issue.ts";
