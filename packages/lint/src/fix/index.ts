export { fixText } from "./apply-edits.ts";
