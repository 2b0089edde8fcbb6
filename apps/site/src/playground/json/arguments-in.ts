import { getNodeValue, type Node } from "jsonc-parser";
import { type Span, spanOf, treeOf } from "./tree.ts";

/** What a call holds as its arguments, with its place. */
interface Held extends Span {
  readonly value: unknown;
}

/** The names under which calls hold their arguments. */
const HOLDERS: ReadonlySet<unknown> = new Set(["arguments", "args", "input"]);

/** The arguments that a JSON text holds, in their order, each with its place. */
export function argumentsIn(text: string): readonly Held[] {
  const root = treeOf(text);
  return root === undefined ? [] : heldIn(root);
}

function heldIn(node: Node): readonly Held[] {
  const [name, value] = node.type === "property" ? (node.children ?? []) : [];
  const own =
    value !== undefined && HOLDERS.has(name?.value)
      ? [{ ...spanOf(value), value: getNodeValue(value) as unknown }]
      : [];
  return [...own, ...(node.children ?? []).flatMap(heldIn)];
}
