import { gradeFor } from "../grade/index.ts";
import type { ReportedInput } from "./report.ts";

const COLORS = { A: "#2da44e", B: "#7cb342", C: "#d4a72c", D: "#e36209", F: "#cf222e" } as const;

/** Draws a badge with the grade of all tools together: that of the mean share. */
export function badge(inputs: readonly ReportedInput[]): string {
  const shares = inputs.flatMap(({ tools }) => tools.map(({ grade }) => grade.share));
  const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  const grade = gradeFor(mean);
  const text = `font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle" fill="#fff"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="62" height="20" role="img" aria-label="tools: ${grade}">
<title>tools: ${grade}</title>
<clipPath id="r"><rect width="62" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="40" height="20" fill="#555"/><rect x="40" width="22" height="20" fill="${COLORS[grade]}"/></g>
<g ${text}><text x="20" y="14">tools</text><text x="51" y="14" font-weight="bold">${grade}</text></g>
</svg>
`;
}
