import { type MarkdownRenderer } from "vitepress";

/** Makes the empty corner of a table an ordinary cell: a header that says nothing is read aloud as one. */
export function emptyHeaders(md: MarkdownRenderer): void {
  md.core.ruler.push("empty-headers", ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const [content, end] = tokens.slice(index + 1, index + 3);
      if (token.type !== "th_open" || content?.content !== "" || end === undefined) continue;
      token.tag = "td";
      end.tag = "td";
    }
  });
}
