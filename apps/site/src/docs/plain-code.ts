const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** A fence without colours; VitePress puts its language and the button that copies around it. */
export function plainCode(code: string): string {
  const text = code.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? "");
  return `<pre class="vp-code" v-pre><code>${text}</code></pre>`;
}
