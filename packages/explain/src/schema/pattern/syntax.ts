const MAX_DEPTH = 100;

const ESCAPE = String.raw`\\(?:[1-9]\d*|k<[^>]*>|x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|[^])`;
const UNICODE_ESCAPE = String.raw`\\[pP]\{[^}]*\}|\\u\{[^}]*\}`;
const CLASS = String.raw`\[(?:\\[^]|[^\]\\])*\]`;
const OPENER = String.raw`\(\?(?:[:=!]|<[=!]|<[^>]*>|[ims-]+:)`;
const TIMES = String.raw`[*+?]\??|\{\d+(?:,\d*)?\}\??`;
const TOKEN = [ESCAPE, CLASS, OPENER, TIMES, "[^]"].join("|");

const QUANTIFIER = /^(?:[*+?]|\{\d)/;
const BACKREFERENCE = /^\\(?:[1-9]|k<)/;
const MODIFIERS = /^\(\?([ims]*)-?([ims]*):$/;

/** The syntax tree of a regular expression, without captures and laziness. */
export type PatternNode =
  | { readonly kind: "character"; readonly source: string; readonly flags: string }
  | { readonly kind: "assertion"; readonly start: boolean }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  | RepeatNode
  | LookaroundNode;

/** A repeated expression. */
export interface RepeatNode {
  readonly kind: "repeat";
  readonly node: PatternNode;
  readonly min: number;
  readonly max: number;
}

/** A lookahead or lookbehind, positive or negative. */
export interface LookaroundNode {
  readonly kind: "lookaround";
  readonly node: PatternNode;
  readonly behind: boolean;
}

/** Parses an expression that the runtime has compiled with these flags; undefined if it is nested too deeply. */
export function readPattern(source: string, flags: string): PatternNode | undefined {
  const unicode = flags.includes("u");
  const tokens = source.matchAll(
    unicode ? new RegExp(`${UNICODE_ESCAPE}|${TOKEN}`, "gu") : new RegExp(TOKEN, "g"),
  );
  const outer: OpenGroup[] = [];
  let group = openGroup("", flags);
  for (const [token] of tokens) {
    if (token.startsWith("(")) {
      if (outer.push(group) > MAX_DEPTH) return undefined;
      group = openGroup(token, withModifiers(group.flags, token));
    } else if (token === ")") {
      const closed = closeGroup(group);
      group = outer.pop() ?? openGroup("", flags);
      group.nodes.push(closed);
    } else if (token === "|") {
      group.choices.push(inSequence(group.nodes));
      group.nodes = [];
    } else if (QUANTIFIER.test(token)) {
      const node = group.nodes.pop();
      if (node) group.nodes.push(repeated(node, token));
    } else {
      group.nodes.push(single(token, group.flags));
    }
  }
  return closeGroup(group);
}

interface OpenGroup {
  readonly opener: string;
  readonly flags: string;
  readonly choices: PatternNode[];
  nodes: PatternNode[];
}

function openGroup(opener: string, flags: string): OpenGroup {
  return { opener, flags, choices: [], nodes: [] };
}

function closeGroup({ opener, choices, nodes }: OpenGroup): PatternNode {
  const last = inSequence(nodes);
  const node: PatternNode =
    choices.length === 0 ? last : { kind: "choice", nodes: [...choices, last] };
  const lookaround = /^\(\?(<?)[=!]/.exec(opener);
  return lookaround ? { kind: "lookaround", node, behind: lookaround[1] === "<" } : node;
}

function inSequence(nodes: readonly PatternNode[]): PatternNode {
  const [only] = nodes;
  return only && nodes.length === 1 ? only : { kind: "sequence", nodes };
}

function repeated(node: PatternNode, quantifier: string): PatternNode {
  if (quantifier.startsWith("*")) return { kind: "repeat", node, min: 0, max: Infinity };
  if (quantifier.startsWith("+")) return { kind: "repeat", node, min: 1, max: Infinity };
  if (quantifier.startsWith("?")) return { kind: "repeat", node, min: 0, max: 1 };
  const [min = "", max] = quantifier.slice(1, quantifier.indexOf("}")).split(",");
  const most = max === undefined ? Number(min) : max === "" ? Infinity : Number(max);
  return { kind: "repeat", node, min: Number(min), max: most };
}

function single(token: string, flags: string): PatternNode {
  if (token === "^") return { kind: "assertion", start: !flags.includes("m") };
  if (token === "$" || token === "\\b" || token === "\\B")
    return { kind: "assertion", start: false };
  if (!BACKREFERENCE.test(token)) return { kind: "character", source: token, flags };
  // What was captured is unknown, so it may be any string.
  const any: PatternNode = { kind: "character", source: "[^]", flags };
  return { kind: "repeat", node: any, min: 0, max: Infinity };
}

function withModifiers(flags: string, opener: string): string {
  const [, added = "", removed = ""] = MODIFIERS.exec(opener) ?? [];
  const kept = [...new Set(flags + added)].filter((flag) => !removed.includes(flag));
  return kept.join("");
}
