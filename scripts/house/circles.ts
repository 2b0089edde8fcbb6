import type { SourceFile } from "./source-files.ts";

/** Finds the groups of files that import each other in a circle, largest first. */
export function circlesOf(
  files: readonly Pick<SourceFile, "path" | "imports">[],
): readonly (readonly string[])[] {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  // Tarjan: a file that reaches nothing older than itself closes its group.
  function visit(path: string): number {
    const number = numbers.size;
    numbers.set(path, number);
    let low = number;
    open.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? numbers.get(next) ?? 0);
      lowest.set(path, low);
    }
    lowest.set(path, low);
    if (low === number) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1) circles.push(group.toSorted());
    }
    return low;
  }

  for (const { path } of files) if (!numbers.has(path)) visit(path);
  return circles.toSorted((a, b) => b.length - a.length);
}
