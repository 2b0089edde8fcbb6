import { parser } from "@prometheus-io/lezer-promql";

/** A selector of a query: the series and labels that it reads. */
export interface Selector {
  /** Matches the names of its series. */
  readonly name: RegExp;
  /** What it demands of labels, as `[label, operator, value]`. */
  readonly matchers: readonly (readonly [string, string, string])[];
  /** The labels by which what it reads is grouped. */
  readonly grouped: readonly string[];
}

type Node = ReturnType<typeof parser.parse>["topNode"];

/** Parses a query of PromQL; throws if it is none. */
export function selectorsOf(query: string): readonly Selector[] {
  const found: Selector[] = [];
  const text = (node: Node): string => query.slice(node.from, node.to);
  parser.parse(query).iterate({
    enter: ({ node, type }) => {
      if (type.isError) throw new SyntaxError(`At ${node.from} of ${query}`);
      if (type.name === "VectorSelector") found.push(selectorOf(node, text));
    },
  });
  return found;
}

function selectorOf(node: Node, text: (node: Node) => string): Selector {
  const all = descendants(node, "UnquotedLabelMatcher").map((matcher) => {
    const [label, operator, value] = ["LabelName", "MatchOp", "StringLiteral"].map((name) => {
      const part = matcher.getChild(name);
      return part ? text(part) : "";
    });
    return [label ?? "", operator ?? "", (value ?? "").slice(1, -1)] as const;
  });
  const identifier = node.getChild("Identifier");
  const named = all.find(([label]) => label === "__name__")?.[2];
  const name = identifier ? text(identifier) : (named ?? "");
  return {
    name: new RegExp(`^(?:${name})$`),
    matchers: all.filter(([label]) => label !== "__name__"),
    grouped: aggregatesAround(node).flatMap((aggregate) =>
      descendants(aggregate.getChild("AggregateModifier") ?? aggregate, "LabelName").map(text),
    ),
  };
}

function aggregatesAround(node: Node): readonly Node[] {
  const { parent } = node;
  if (!parent) return [];
  const above = aggregatesAround(parent);
  return parent.getChild("AggregateModifier") ? [parent, ...above] : above;
}

function descendants(node: Node, name: string): readonly Node[] {
  const found: Node[] = [];
  node.cursor().iterate((one) => {
    if (one.name === name) found.push(one.node);
  });
  return found;
}
