import { TOOL } from "../defined-tool.ts";

const IMPORT = /^[ \t]*import\b[^;\n]*\bfrom\s*["']zod(?:\/v4)?["'];?/gm;
const EXPORT = /^([ \t]*)export\s+default\s+/m;

/**
 * The source of a worker that defines the tool: an expression, or a module with `export default`. Its lines
 * keep their numbers.
 */
export function zodModule(code: string, scripts: readonly string[]): string {
  const body = code.replaceAll(IMPORT, "");
  const prelude = scripts.map((script) => `import ${JSON.stringify(script)}; `).join("");
  if (EXPORT.test(body)) return prelude + body.replace(EXPORT, `$1globalThis.${TOOL} = `);
  return `${prelude}globalThis.${TOOL} = (${body.replace(/[;\s]+$/, "")}\n);`;
}
