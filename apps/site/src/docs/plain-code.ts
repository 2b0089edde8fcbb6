import { escapeMarkup } from "../../../../scripts/escape-markup.ts";

/** A fence without colours; VitePress puts its language and the button that copies around it. */
export function plainCode(code: string): string {
  return `<pre class="vp-code" v-pre><code>${escapeMarkup(code)}</code></pre>`;
}
