export { createEditor } from "./create-editor.ts";
export type { Editor, EditorOptions } from "./create-editor.ts";
