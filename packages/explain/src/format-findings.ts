import { ToolContractError, type ValidationError } from "./shared/index.ts";
import {
  CUT_STEPS,
  type MessageStyle,
  formatBullet,
  countErrors,
  formatMore,
  shortenBullets,
  toBullets,
  toLevels,
} from "./words/index.ts";

/** How findings are written, and how long the text may be. */
export interface FindingsFormat {
  /**
   * Several labelled lines for each finding, or one line.
   *
   * @default "standard"
   */
  readonly style?: MessageStyle;
  /**
   * How many bullets are written. The last line says how many more findings there are.
   *
   * @default 10
   */
  readonly maxErrors?: number;
  /**
   * The longest text, in UTF-16 units, at least 400.
   *
   * @default 2_000
   */
  readonly maxLength?: number;
}

const LEAST_LENGTH = 400;

/**
 * Writes findings for a model or a person, one bullet for those that read alike, in at most `maxLength` units; an empty string if there are
 * none.
 *
 * What was sent is dropped first, then long expectations, then bullets from the end.
 *
 * @throws ToolContractError if an option is out of its range.
 * @example
 * ```ts
 * const findings = explain({ type: "object", required: ["query"] }, {});
 * formatFindings(findings, { style: "compact" }); // "- /query (VAL-001): missing"
 * ```
 * @see packages/explain/README.md
 */
export function formatFindings(
  findings: readonly ValidationError[],
  { style = "standard", maxErrors = 10, maxLength = 2_000 }: FindingsFormat = {},
): string {
  checkFormat({ style, maxErrors, maxLength });
  const bullets = toBullets(findings)
    .slice(0, maxErrors)
    .map((bullet) => toLevels(bullet, style));
  if (bullets.length === 0) return "";
  const write = (steps: number): string => {
    let left = steps;
    const take = (available: number): number => {
      const taken = Math.min(left, available);
      left -= taken;
      return taken;
    };
    const valueless = take(bullets.length);
    const brief = take(bullets.length);
    const hidden = take(bullets.length - 1);
    const kept = shortenBullets(bullets, { valueless, brief, hidden, cut: take(CUT_STEPS) });
    const lines = kept.map((bullet) => formatBullet(bullet, style));
    const more = findings.length - countErrors(kept);
    return [...lines, ...(more > 0 ? [formatMore(more, false)] : [])].join("\n");
  };
  const most = 3 * bullets.length - 1 + CUT_STEPS;
  for (let steps = 0; steps < most; steps += 1) {
    const text = write(steps);
    if (text.length <= maxLength) return text;
  }
  return write(most);
}

function checkFormat({ style, maxErrors, maxLength }: Required<FindingsFormat>): void {
  if (style !== "standard" && style !== "compact")
    throw new ToolContractError('formatFindings: `style` must be "standard" or "compact".');
  if (!Number.isInteger(maxErrors) || maxErrors < 1)
    throw new ToolContractError("formatFindings: `maxErrors` must be a whole number from 1.");
  if (!Number.isInteger(maxLength) || maxLength < LEAST_LENGTH)
    throw new ToolContractError(
      `formatFindings: \`maxLength\` must be a whole number from ${LEAST_LENGTH}.`,
    );
}
