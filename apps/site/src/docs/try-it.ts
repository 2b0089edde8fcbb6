import { type MarkdownRenderer } from "vitepress";
import { type PlaygroundLinks } from "./playground-links.ts";

/** Puts a link to the playground below the output of each program that has one. */
export function tryIt(md: MarkdownRenderer, links: () => PlaygroundLinks): void {
  const { fence } = md.renderer.rules;
  if (fence === undefined) throw new Error("VitePress no longer renders blocks of code by a rule.");
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const block = fence(tokens, index, ...rest);
    const program = tokens.slice(0, index).findLast(({ type }) => type === "fence");
    // Its last line has a line break.
    const fragment = links().get(program?.content.slice(0, -1) ?? "");
    return fragment === undefined ? block : `${block}\n<TryIt fragment="${fragment}" />\n`;
  };
}
