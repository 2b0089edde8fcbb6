import { transform } from "sucrase";

/** The function that a module made from the code of a tool exports. */
export type RunCode = (
  require: (name: string) => unknown,
  process: unknown,
) => Promise<{
  /** What it exports by default. */
  readonly main: unknown;
  /** What it declares at its outermost level, in order. */
  readonly declared: readonly unknown[];
}>;

const DECLARATION = /^([ \t]*)(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]*)/gm;

/**
 * The source of a module that exports a {@link RunCode}. The code is an expression, or a module in JavaScript or TypeScript,
 * whose types are taken out. Its lines keep their numbers.
 *
 * @throws SyntaxError with the line, in `loc`.
 */
export function toolModule(code: string): string {
  const { script, names } = scriptOf(code);
  return `export default async (require, process) => { const exports = {}; ${script}
; return { main: exports.default, declared: [${names.join(", ")}] }; }`;
}

function scriptOf(code: string): { readonly script: string; readonly names: readonly string[] } {
  const expression = `export default (${code.replace(/[;\s]+$/, "")}\n);`;
  try {
    return { script: withoutTypes(expression), names: [] };
  } catch (fault) {
    const names = declaredIn(code);
    // Of broken code, the fault is where it is broken as what it begins as.
    if (names.length === 0 && !/^\s*(?:import|export)\b/m.test(code)) throw fault;
    return { script: withoutTypes(code), names };
  }
}

function withoutTypes(code: string): string {
  const { code: script } = transform(code, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
    // The policy of the sandbox answers it.
    preserveDynamicImport: true,
  });
  return script;
}

/** The names that declarations at the outermost level give. */
function declaredIn(code: string): readonly string[] {
  const declared = [...code.matchAll(DECLARATION)];
  const outermost = declared[0]?.[1];
  return declared.filter(([, indent]) => indent === outermost).map(([, , name = ""]) => name);
}
