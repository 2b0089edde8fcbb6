import { type Check, type Level, LEVEL_NAMES } from "../shared/index.ts";
import { levelOf } from "./tally.ts";

const LABEL = "bad tool calls";
const COLORS: Readonly<Record<Level | "none", string>> = {
  none: "#c0392b",
  L1: "#b7791f",
  L2: "#5a7d1f",
  L3: "#1f7a3d",
  L4: "#1f6f7a",
  L5: "#1f4f7a",
};
/** About the width of a letter at the badge's size, in pixels. */
const LETTER = 6.6;
const PADDING = 10;

/** A badge for a README, as SVG: the highest level of which everything passed. */
export function badgeSvg(checks: readonly Check[]): string {
  const level = levelOf(checks);
  const value = level === undefined ? "not survived" : `${level} ${LEVEL_NAMES[level]}`;
  const color = COLORS[level ?? "none"];
  const left = Math.round(LABEL.length * LETTER) + 2 * PADDING;
  const right = Math.round(value.length * LETTER) + 2 * PADDING;
  const width = left + right;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${LABEL}: ${value}">
  <title>${LABEL}: ${value}</title>
  <rect width="${width}" height="20" rx="3" fill="#444"/>
  <path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${color}"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${LABEL}</text>
    <text x="${left + right / 2}" y="14">${value}</text>
  </g>
</svg>
`;
}
