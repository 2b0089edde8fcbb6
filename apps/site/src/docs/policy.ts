import { createHash } from "node:crypto";

/** Directives of a policy, by name; the hashes of the scripts in a page are added to its `script-src`. */
type Policy = Readonly<Record<string, string>>;

/**
 * What a page may load and do: nothing but the site's own files. Styles may be inline: code has colours in attributes, and
 * the editors write style sheets. `blob:` are workers.
 */
const PAGE: Policy = {
  "default-src": "'self'",
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "worker-src": "'self' blob:",
  "object-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'none'",
};

/** What the frame for the code of a tool may: run its own script and what is handed to it, and load nothing. */
export const FRAME: Policy = {
  "default-src": "'none'",
  "script-src": "blob:",
  "worker-src": "blob:",
  "base-uri": "'none'",
  "form-action": "'none'",
};

const CHARSET = '<meta charset="utf-8">';
const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g;

/** A page that states its policy: a static host may send no header. */
export function withPolicy(html: string, policy: Policy = PAGE): string {
  // A script in the text of a page is not to run.
  const [head = ""] = html.split("</head>");
  const scripts = [...head.matchAll(INLINE_SCRIPT)].map(([, code = ""]) => code);
  const content = Object.entries(policy)
    .map(([name, sources]) => [name, sources, ...(name === "script-src" ? hashesOf(scripts) : [])])
    .map((parts) => parts.join(" "))
    .join("; ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${content}">`;
  return html.replace(CHARSET, () => `${CHARSET}\n    ${meta}`);
}

function hashesOf(scripts: readonly string[]): readonly string[] {
  return scripts.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
