import type { SyntaxNode, Tree } from "@lezer/common";

/** One step down from the root: the name or index, and what the object around it says of itself. */
export interface Step {
  readonly key: string | number;
  readonly scalars: Scalars;
}

/** The strings, numbers, booleans and nulls of an object, by name: they tell the branches of a union apart. */
export type Scalars = ReadonlyMap<string, unknown>;

/** What may stand at the cursor. */
export interface Place {
  readonly kind: "key" | "value";
  /** The way to the object that has the key, or to the value. */
  readonly path: readonly Step[];
  /** The word or string at the cursor, quotes included. */
  readonly from: number;
  readonly to: number;
  readonly quoted: boolean;
  /** The names that the object around the key has already. */
  readonly taken: ReadonlySet<string>;
  /** Of the object around the key, or of the value if it is an object. */
  readonly scalars: Scalars;
}

/** Longer words and deeper places are not completed. */
const LONGEST_WORD = 200;
const DEEPEST = 100;
/** How many properties of one object are read for its names. */
const MOST_PROPERTIES = 2_000;

/** What may stand at a position of a JSON text, or undefined if nothing may. The text may be broken anywhere. */
export function placeAt(text: string, tree: Tree, position: number): Place | undefined {
  const word = wordAt(text, tree, position);
  if (word === undefined) return undefined;
  const before = lastCharacterBefore(text, word.from);
  const container = containerAt(tree, word.from);
  const path = container === undefined ? [] : pathTo(container, text);
  if (path === undefined) return undefined;
  const place = { ...word, taken: new Set<string>(), scalars: new Map<string, unknown>() };
  if (container === undefined)
    return before === undefined ? { ...place, kind: "value", path } : undefined;
  if (container.name === "Array") {
    if (before !== "[" && before !== ",") return undefined;
    const key = container.getChildren(",").filter((comma) => comma.from < word.from).length;
    return { ...place, kind: "value", path: [...path, { key, scalars: new Map() }] };
  }
  const properties = propertiesOf(container, text);
  const scalars = new Map(properties.map(({ name, value }) => [name, value]));
  if (before === ":") {
    const property = properties.findLast(({ from }) => from < word.from);
    if (property === undefined) return undefined;
    scalars.delete(property.name);
    return { ...place, kind: "value", path: [...path, { key: property.name, scalars }] };
  }
  if (before !== "{" && before !== ",") return undefined;
  const others = properties.filter(({ from }) => from !== word.from);
  return { ...place, kind: "key", path, scalars, taken: new Set(others.map(({ name }) => name)) };
}

type Word = Pick<Place, "from" | "to" | "quoted">;

function wordAt(text: string, tree: Tree, position: number): Word | undefined {
  const node = tree.resolveInner(position, -1);
  const quoted = text[node.from] === '"' && node.from < position;
  if (quoted && /^(?:String|PropertyName|⚠)$/.test(node.name)) {
    const closed = node.name !== "⚠";
    // Behind the closing quote nothing is completed.
    if (closed && position === node.to) return undefined;
    const to = closed ? node.to : position;
    if (to - node.from > LONGEST_WORD || text.slice(node.from, position).includes("\n"))
      return undefined;
    return { from: node.from, to, quoted: true };
  }
  const nearby = text.slice(Math.max(0, position - LONGEST_WORD), position);
  const from = position - (/[\w.+-]*$/.exec(nearby)?.[0].length ?? 0);
  const rest = /^[\w.+-]*/.exec(text.slice(position, position + LONGEST_WORD))?.[0].length ?? 0;
  return { from, to: position + rest, quoted: false };
}

function lastCharacterBefore(text: string, position: number): string | undefined {
  let at = position - 1;
  while (at >= 0 && /\s/.test(text.charAt(at))) at--;
  return at < 0 ? undefined : text[at];
}

function containerAt(tree: Tree, position: number): SyntaxNode | undefined {
  for (
    let node: SyntaxNode | null = tree.resolveInner(position, -1);
    node !== null;
    node = node.parent
  )
    if ((node.name === "Object" || node.name === "Array") && node.from < position) return node;
  return undefined;
}

function pathTo(container: SyntaxNode, text: string): Step[] | undefined {
  const steps: Step[] = [];
  let child = container;
  for (let node = container.parent; node !== null; node = node.parent) {
    if (steps.length > DEEPEST) return undefined;
    if (node.name === "Property") {
      const name = node.getChild("PropertyName");
      const object = node.parent;
      if (name === null || object === null) return undefined;
      const key = nameIn(text, name);
      const scalars = new Map(propertiesOf(object, text).map((each) => [each.name, each.value]));
      scalars.delete(key);
      steps.unshift({ key, scalars });
    } else if (node.name === "Array") {
      const start = child.from;
      const key = node.getChildren(",").filter((comma) => comma.from < start).length;
      steps.unshift({ key, scalars: new Map() });
    }
    child = node;
  }
  return steps;
}

interface Property {
  readonly name: string;
  readonly from: number;
  /** Its value if that is a scalar. */
  readonly value: unknown;
}

function propertiesOf(object: SyntaxNode, text: string): Property[] {
  const properties: Property[] = [];
  for (let node = object.firstChild; node !== null; node = node.nextSibling) {
    const name = node.name === "Property" ? node.getChild("PropertyName") : null;
    if (name === null) continue;
    const value = node.lastChild === null ? undefined : scalarIn(text, node.lastChild);
    properties.push({ name: nameIn(text, name), from: name.from, value });
    if (properties.length === MOST_PROPERTIES) break;
  }
  return properties;
}

function nameIn(text: string, node: SyntaxNode): string {
  const name = scalarIn(text, node);
  return typeof name === "string" ? name : "";
}

function scalarIn(text: string, node: SyntaxNode): unknown {
  if (
    node.to - node.from > LONGEST_WORD ||
    !/^(?:String|PropertyName|Number|True|False|Null)$/.test(node.name)
  )
    return undefined;
  try {
    return JSON.parse(text.slice(node.from, node.to));
  } catch {
    return undefined;
  }
}
