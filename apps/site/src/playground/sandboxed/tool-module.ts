const IMPORT = /^[ \t]*import\b[^;\n]*\bfrom\s*["']zod(?:\/v4)?["'];?/gm;
const EXPORT = /^[ \t]*export\s+default\b/m;

/**
 * The source of a module that exports the tool: an expression, or a module with `export default`. Its lines keep their
 * numbers.
 */
export function toolModule(code: string): string {
  const body = code.replaceAll(IMPORT, "");
  return EXPORT.test(body) ? body : `export default (${body.replace(/[;\s]+$/, "")}\n);`;
}
