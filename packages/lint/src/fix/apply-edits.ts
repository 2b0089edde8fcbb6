import { pointerKeys } from "@toolcontract/explain/adapter";
import { type Edit, join } from "../shared/index.ts";

/** The edits of one tool, whose pointers are those of its declaration. */
export interface ToolEdits {
  /** JSON Pointer to the tool in the document. */
  readonly pointer: string;
  readonly edits: readonly Edit[];
}

/** Applies edits to a JSON text and keeps its indentation; undefined if nothing changes. */
export function fixText(text: string, all: readonly ToolEdits[]): string | undefined {
  const document: unknown = JSON.parse(text);
  const wrapper = { document };
  let changes = 0;
  for (const { pointer, edits } of all)
    for (const edit of edits)
      if (applyEdit(wrapper, join("/document" + pointer, ...pointerKeys(edit.pointer)), edit))
        changes += 1;
  if (changes === 0) return undefined;
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? (text.includes("\n") ? 2 : 0);
  const end = text.endsWith("\n") ? "\n" : "";
  return JSON.stringify(wrapper.document, null, indent) + end;
}

type Holder = Record<string, unknown>;

function applyEdit(root: object, pointer: string, edit: Edit): boolean {
  const keys = [...pointerKeys(pointer)];
  const key = keys.pop() ?? "";
  let holder: unknown = root;
  for (const one of keys) {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, one)) return false;
    holder = (holder as Holder)[one];
  }
  if (typeof holder !== "object" || holder === null) return false;
  const object = holder as Holder;
  switch (edit.kind) {
    case "set":
      set(object, key, edit.value);
      return true;
    case "remove":
      return Object.hasOwn(object, key) && Reflect.deleteProperty(object, key);
    case "rename":
      return renameMember(object, key, edit.key);
  }
}

/** Gives a member another key and keeps the order of all. */
function renameMember(object: Holder, from: string, to: string): boolean {
  if (!Object.hasOwn(object, from) || Object.hasOwn(object, to)) return false;
  const members = Object.entries(object);
  for (const [key] of members) Reflect.deleteProperty(object, key);
  for (const [key, value] of members) set(object, key === from ? to : key, value);
  return true;
}

/** Sets a member, also one with the name of the prototype. */
function set(object: Holder, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
