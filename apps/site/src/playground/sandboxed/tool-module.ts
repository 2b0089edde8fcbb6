/** What is there without an import: zod, and `tool()` of the AI SDK and of LangChain. */
const IMPORT =
  /^[ \t]*import\b[^;\n]*\bfrom\s*["'](?:zod(?:\/v4)?|ai|langchain|@langchain\/core\/tools)["'];?/gm;
const EXPORT = /^[ \t]*export\s+default\b/m;

const COMMENTS = /\/\/[^\n]*|\/\*[^]*?\*\//g;
const DECLARATION = /^([ \t]*)(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)/gm;

/**
 * The source of a module that exports the tool: an expression, declarations whose last one is the tool, or a module with
 * `export default`. Its lines keep their numbers.
 */
export function toolModule(code: string): string {
  const body = code.replaceAll(IMPORT, "");
  if (EXPORT.test(body)) return body;
  const name = lastDeclared(body);
  return name === undefined ? expression(body) : `${body}\nexport default ${name};`;
}

/** The last name that declarations at the outermost level give; undefined if the code begins otherwise. */
function lastDeclared(body: string): string | undefined {
  const declared = [...body.matchAll(DECLARATION)];
  const [first] = declared;
  if (first === undefined) return undefined;
  if (body.slice(0, first.index).replaceAll(COMMENTS, "").trim() !== "") return undefined;
  return declared.findLast(([, indent]) => indent === first[1])?.[2];
}

function expression(body: string): string {
  return `export default (${body.replace(/[;\s]+$/, "")}\n);`;
}
