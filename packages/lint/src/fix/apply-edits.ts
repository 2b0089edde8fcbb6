import { pointerKeys } from "@toolcontract/explain/adapter";
import { type Node, type Edit as TextEdit, applyEdits, parseTree } from "jsonc-parser";
import { type Edit, join } from "../shared/index.ts";

/** The edits of one tool, whose pointers are those of its declaration. */
export interface ToolEdits {
  /** JSON Pointer to the tool in the document. */
  readonly pointer: string;
  readonly edits: readonly Edit[];
}

/**
 * Applies edits to a JSON text, with comments or without, and leaves every other byte; undefined if nothing changes.
 *
 * @remarks Edits that touch each other wait for the next round, which reads the text anew.
 */
export function fixText(text: string, all: readonly ToolEdits[]): string | undefined {
  let pending = all.flatMap(({ pointer, edits }) =>
    edits.map((edit) => ({ ...edit, pointer: join(pointer, ...pointerKeys(edit.pointer)) })),
  );
  let fixed = text;
  while (pending.length > 0) {
    const root = parseTree(fixed, [], { allowTrailingComma: true });
    const members = createMembers();
    const isFree = createPlaces(fixed.length);
    const taken: TextEdit[] = [];
    const later: typeof pending = [];
    for (const edit of pending) {
      const changes = root && textEdits(fixed, root, edit, members);
      if (!changes) continue;
      if (isFree(changes)) taken.push(...changes);
      else later.push(edit);
    }
    fixed = applyEdits(fixed, taken);
    pending = later;
  }
  return fixed === text ? undefined : fixed;
}

type Members = (node: Node) => ReadonlyMap<string, readonly Node[]>;

/** What an edit changes in the text; undefined if its place is not there, or the member occurs twice. */
function textEdits(
  text: string,
  root: Node,
  edit: Edit,
  members: Members,
): readonly TextEdit[] | undefined {
  const keys = [...pointerKeys(edit.pointer)];
  const last = keys.pop();
  if (last === undefined)
    return edit.kind === "set" ? [replaced(root, JSON.stringify(edit.value))] : undefined;
  let holder: Node | undefined = root;
  // Of members that occur twice, everybody reads the last one.
  for (const key of keys) holder = holder && valueAt(holder, key, members);
  if (holder?.type === "array" && edit.kind === "set") {
    const item = valueAt(holder, last, members);
    return item && [replaced(item, JSON.stringify(edit.value))];
  }
  if (holder?.type !== "object") return undefined;
  const known = members(holder);
  const [member, second] = known.get(last) ?? [];
  if (second) return undefined;
  const [key, value] = member?.children ?? [];
  if (edit.kind === "set") {
    const written = JSON.stringify(edit.value);
    return [value ? replaced(value, written) : added(text, holder, last, written)];
  }
  if (!member || !key || !value) return undefined;
  switch (edit.kind) {
    case "remove":
      return [removed(holder, member)];
    case "rename":
      return known.has(edit.key) ? undefined : [replaced(key, JSON.stringify(edit.key))];
    case "move": {
      const moved = text.slice(value.offset, value.offset + value.length);
      const into = valueAt(holder, edit.into, members);
      if (into?.type === "object") return [removed(holder, member), added(text, into, last, moved)];
      const inner = text.slice(key.offset, value.offset) + moved;
      return into
        ? undefined
        : [replaced(key, JSON.stringify(edit.into)), replaced(value, `{ ${inner} }`)];
    }
  }
}

function valueAt(holder: Node, key: string, members: Members): Node | undefined {
  if (holder.type === "array")
    return /^\d+$/.test(key) ? holder.children?.[Number(key)] : undefined;
  return holder.type === "object" ? members(holder).get(key)?.at(-1)?.children?.[1] : undefined;
}

function replaced({ offset, length }: Node, content: string): TextEdit {
  return { offset, length, content };
}

/** A new last member, laid out as the one before it. */
function added(text: string, holder: Node, name: string, written: string): TextEdit {
  const previous = holder.children?.at(-1);
  const [key, value] = previous?.children ?? [];
  const member = `${JSON.stringify(name)}${colonIn(text, key, value)}${written}`;
  if (!previous) return { offset: holder.offset + 1, length: 0, content: member };
  const end = previous.offset + previous.length;
  return { offset: end, length: 0, content: `,${blankBefore(text, previous.offset)}${member}` };
}

function colonIn(text: string, key: Node | undefined, value: Node | undefined): string {
  const between = key && value && text.slice(key.offset + key.length, value.offset);
  return between !== undefined && /^\s*:\s*$/.test(between) ? between : ": ";
}

function blankBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && " \t\r\n".includes(text[start - 1] ?? "-")) start -= 1;
  return text.slice(start, offset);
}

/** A member with the comma and the blank that belong to it. */
function removed(holder: Node, member: Node): TextEdit {
  const all = holder.children ?? [];
  const at = all.indexOf(member);
  const [previous, next] = [all[at - 1], all[at + 1]];
  const end = member.offset + member.length;
  if (next) return { offset: member.offset, length: next.offset - member.offset, content: "" };
  const start = previous ? previous.offset + previous.length : member.offset;
  return { offset: start, length: end - start, content: "" };
}

/** The members of objects, by their names. */
function createMembers(): Members {
  const known = new Map<Node, Map<string, Node[]>>();
  return (node) => {
    const found = known.get(node) ?? new Map<string, Node[]>();
    if (known.has(node)) return found;
    known.set(node, found);
    for (const member of node.children ?? []) {
      const name = String(member.children?.[0]?.value);
      const same = found.get(name);
      if (same) same.push(member);
      else found.set(name, [member]);
    }
    return found;
  };
}

/** Takes the places of edits that lie beside no other edit. */
function createPlaces(length: number): (edits: readonly TextEdit[]) => boolean {
  const taken = new Uint8Array(length + 3);
  return (edits) => {
    // One more at each end: two members that go may not both need the same comma.
    const areas = edits.map((edit) => [edit.offset, edit.offset + edit.length + 2] as const);
    if (areas.some(([start, end]) => taken.subarray(start, end).includes(1))) return false;
    for (const [start, end] of areas) taken.fill(1, start, end);
    return true;
  };
}
