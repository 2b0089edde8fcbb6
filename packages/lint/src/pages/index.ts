export { rulePage, ruleRows } from "./rule-page.ts";
