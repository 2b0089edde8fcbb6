import {
  type Alias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  type Scalar,
} from "yaml";

/** What is known of a whole document after one walk; the parser's own ways take time by the square of its size. */
export interface Survey {
  /** The node that an alias stands for: the latest before it with that anchor. */
  readonly resolve: (alias: Alias) => Node | undefined;
  /** Where keys stand that their mapping has already. */
  readonly repeatedKeys: readonly number[];
}

/** Walks a document once; it does not recurse, so no depth is too much. */
export function surveyDocument(contents: unknown): Survey {
  const anchors = new Map<string, Node[]>();
  const repeatedKeys: number[] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.key, node.value);
    if (isCollection(node)) for (const item of node.items) open.push(item);
    if (isMap(node)) for (const { key } of repeatedIn(node.items)) repeatedKeys.push(startOf(key));
    const anchor = isNode(node) && "anchor" in node ? node.anchor : undefined;
    if (anchor === undefined) continue;
    const sameName = anchors.get(anchor) ?? [];
    anchors.set(anchor, sameName);
    sameName.push(node as Node);
  }
  for (const nodes of anchors.values()) nodes.sort((a, b) => startOf(a) - startOf(b));
  return {
    resolve: (alias) =>
      anchors.get(alias.source)?.findLast((node) => startOf(node) < startOf(alias)),
    repeatedKeys,
  };
}

function repeatedIn(pairs: readonly Pair[]): readonly { readonly key: Scalar }[] {
  const seen = new Set<unknown>();
  return pairs.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    if (seen.has(key.value)) return [{ key }];
    seen.add(key.value);
    return [];
  });
}

function startOf({ range }: Pick<Node, "range">): number {
  return range?.[0] ?? 0;
}
