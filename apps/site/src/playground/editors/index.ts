export { createEditor } from "./create-editor.ts";
export type { Editor } from "./create-editor.ts";
export type { Mark } from "./marks.ts";
