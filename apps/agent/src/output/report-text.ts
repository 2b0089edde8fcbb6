import { stripVTControlCharacters } from "node:util";
import type { FinalReport } from "@toolcontract/session";
import type { Token, Tokens } from "marked";

/** A report as it is printed: Markdown is rendered on a terminal, and JSON is JSON. */
export async function reportText(
  { format, content, content_json, messages }: FinalReport,
  isTerminal: boolean,
): Promise<string> {
  if (content === undefined) {
    return JSON.stringify(format === "json" ? content_json : messages, null, 2);
  }
  if (!isTerminal) return content.trimEnd();
  // What a model writes must not move the cursor or hide text.
  const safe = stripVTControlCharacters(content).replaceAll(CONTROLS, "").trimEnd();
  return format === "markdown" ? render(safe) : safe;
}

/** All but line feeds and tabs. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

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
