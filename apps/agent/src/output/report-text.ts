import { visibleJson } from "@toolcontract/core/adapter";
import type { FinalReport } from "@toolcontract/session";
import type { Token, Tokens } from "marked";
import { terminalText } from "./terminal-text.ts";

/** A report as it is printed: Markdown is rendered on a terminal, and JSON is JSON. */
export async function reportText(
  { format, content, content_json, messages }: FinalReport,
  isTerminal: boolean,
): Promise<string> {
  if (content === undefined) {
    return visibleJson(format === "json" ? content_json : messages, 2);
  }
  const safe = terminalText(content).trimEnd();
  return isTerminal && format === "markdown" ? render(safe) : safe;
}

async function render(markdown: string): Promise<string> {
  const [{ Marked }, { markedTerminal }] = await Promise.all([
    import("marked"),
    import("marked-terminal"),
  ]);
  const marked = new Marked(markedTerminal({ tab: 2 }), { renderer: { text: inlineText } });
  return (await marked.parse(markdown)).trimEnd();
}

/** The text of a list's item may hold more than text, which marked-terminal does not render. */
function inlineText(
  this: { readonly parser: { parseInline(tokens: Token[]): string } },
  token: Tokens.Text | Tokens.Escape,
): string | false {
  return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : false;
}
