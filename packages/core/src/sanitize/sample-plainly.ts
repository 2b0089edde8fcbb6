import type { MaskedNode } from "./mask-value.ts";
import { REDACTED } from "./redacted.ts";

/** Writes a masked sample as JSON for a redactor, with `...` where something was left out. */
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
