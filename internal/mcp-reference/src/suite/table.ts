import type { ComparedRow } from "./compare.ts";
import type { Route } from "./matrix.ts";

const ROUTES: readonly Route[] = ["HTTP proxy", "in process", "stdio relay"];

/** Formats the rows as Markdown: passed and failed checks in each cell, and the lost ones. */
export function markdownTable(rows: readonly ComparedRow[]): string {
  const header = ["Subject", "Revision", "direct", ...ROUTES, "lost"];
  const lines = rows.map(({ subject, revision, direct, through, lost }) => {
    const cells = ROUTES.map((route) => through[route] ?? "");
    const count = Object.values(lost).flat().length;
    return [subject, revision, direct, ...cells, String(count)];
  });
  const rule = header.map(() => "---");
  return [header, rule, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
