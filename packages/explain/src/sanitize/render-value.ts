import { cutText, quoteText } from "./cut-text.ts";
import { type MaskedText, REDACTED } from "./mask-text.ts";
import { MAX_ITEMS, type MaskedNode } from "./mask-value.ts";

const PLANS: readonly RenderPlan[] = [
  { depth: 2, entries: 5, share: 0.6 },
  { depth: 2, entries: 5, share: 0.25 },
  { depth: 1, entries: 5, share: 0.3 },
  { depth: 1, entries: 5, share: 0.15 },
  { depth: 1, entries: 3, share: 0.15 },
  { depth: 1, entries: 2, share: 0.15 },
];

/** If nothing else fits, only the brackets remain. */
const CLOSED: RenderPlan = { depth: 0, entries: 0, share: 0 };

/** How a value is rendered. */
export interface RenderOptions {
  /** The limit in graphemes; twice as many UTF-16 units are allowed. */
  readonly maxLength: number;
  /** Shortens the file paths in a string. */
  readonly relativise: (text: string) => string;
}

/** One way to write a container: its depth, its entries, and the share of the length that one string may take. */
interface RenderPlan {
  readonly depth: number;
  readonly entries: number;
  readonly share: number;
}

/** Writes a masked value in the most detailed way that fits the limit. */
export function renderValue(node: MaskedNode, options: RenderOptions): string {
  for (const plan of PLANS) {
    const text = renderNode(node, plan, options);
    if (text.length <= options.maxLength) return text + itemCount(node, plan);
  }
  return renderNode(node, CLOSED, options) + itemCount(node, CLOSED);
}

/** Writes a string as JSON, cut to a number of graphemes, and reports whether it was cut. */
export function quoteCut(
  { text, clipped }: Pick<MaskedText, "text" | "clipped">,
  maxLength: number,
): { readonly text: string; readonly cut: boolean } {
  const quoted = cutText(text, {
    graphemes: maxLength,
    units: maxLength * 2 - 2,
    clipped,
    escape: (grapheme) => quoteText(grapheme).slice(1, -1),
  });
  return { text: `"${quoted.text}"`, cut: quoted.cut };
}

/** Writes a masked sample as JSON for a redactor, with `...` for what was left out. */
export function samplePlainly(node: MaskedNode): string {
  switch (node.kind) {
    case "hidden":
      return JSON.stringify(REDACTED);
    case "literal":
      return node.text.endsWith(".") || /[{[(]/.test(node.text)
        ? JSON.stringify(node.text)
        : node.text;
    case "text":
      return JSON.stringify(node.text);
    case "array": {
      const [first, ...rest] = node.items.map(samplePlainly);
      const gap = node.count > node.items.length ? ['"..."'] : [];
      return first === undefined ? "[]" : `[${[first, ...gap, ...rest].join(",")}]`;
    }
    case "object": {
      const entries = node.entries.map(
        ([key, value]) => `${JSON.stringify(key.text)}:${samplePlainly(value)}`,
      );
      return `{${[...entries, ...(node.hasMore ? ['"...":"..."'] : [])].join(",")}}`;
    }
  }
}

function renderNode(node: MaskedNode, plan: RenderPlan, options: RenderOptions): string {
  switch (node.kind) {
    case "hidden":
      return REDACTED;
    case "literal":
      return node.text;
    case "text":
      return writeText(node, plan, options);
    case "array":
      return renderArray(node, plan, options);
    case "object":
      return renderObject(node, plan, options);
  }
}

function writeText(
  { text, clipped }: Pick<MaskedText, "text" | "clipped">,
  plan: RenderPlan,
  { maxLength, relativise }: RenderOptions,
): string {
  return quoteCut({ text: relativise(text), clipped }, Math.floor(maxLength * plan.share)).text;
}

function renderArray(
  node: MaskedNode & { kind: "array" },
  plan: RenderPlan,
  options: RenderOptions,
): string {
  const [first, last] = [node.items[0], node.items.at(-1)];
  if (first === undefined || last === undefined) return "[]";
  if (plan.depth === 0) return "[...]";
  const inner = { ...plan, depth: plan.depth - 1 };
  const shown = showsAll(node.count, plan) ? node.items : [first, last];
  const texts = shown.map((item) => renderNode(item, inner, options));
  return `[${texts.join(showsAll(node.count, plan) ? ", " : ", ..., ")}]`;
}

function renderObject(
  node: MaskedNode & { kind: "object" },
  plan: RenderPlan,
  options: RenderOptions,
): string {
  if (node.entries.length === 0) return "{}";
  if (plan.depth === 0) return "{...}";
  const inner = { ...plan, depth: plan.depth - 1 };
  const shown = node.entries
    .slice(0, plan.entries)
    .map(
      ([key, value]) => `${writeText(key, plan, options)}: ${renderNode(value, inner, options)}`,
    );
  const isCut = node.hasMore || node.entries.length > shown.length;
  return `{${shown.join(", ")}${isCut ? ", ..." : ""}}`;
}

function itemCount(node: MaskedNode, plan: RenderPlan): string {
  return node.kind === "array" && !showsAll(node.count, plan) ? ` (${node.count} items)` : "";
}

function showsAll(count: number, plan: RenderPlan): boolean {
  return count <= Math.min(MAX_ITEMS, plan.entries);
}
