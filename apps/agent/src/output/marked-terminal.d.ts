// The package has no types of its own.
declare module "marked-terminal" {
  import type { MarkedExtension } from "marked";

  /** Renders Markdown for a terminal. */
  export function markedTerminal(options?: { readonly tab?: number }): MarkedExtension;
}
