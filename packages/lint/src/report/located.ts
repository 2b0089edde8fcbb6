import { pointerKeys } from "@toolcontract/explain/adapter";
import { join, type LintFinding } from "../shared/index.ts";
import { type TokenPosition, positionsIn } from "./positions.ts";
import type { ReportedInput } from "./report.ts";

/** A finding, and where it is in a file. */
export interface LocatedFinding {
  readonly finding: LintFinding;
  readonly file: string | undefined;
  readonly position: TokenPosition | undefined;
}

/** All findings, each with its file and line if it has one. */
export function locate(inputs: readonly ReportedInput[]): readonly LocatedFinding[] {
  return inputs.flatMap(({ file, text, tools }) => {
    const positions = text === undefined ? undefined : positionsIn(text);
    return tools.flatMap(({ findings, pointer }) =>
      findings.map((finding) => ({
        finding,
        file,
        position:
          positions && nearestPosition(positions, join(pointer, ...pointerKeys(finding.path))),
      })),
    );
  });
}

/** The position of a value, or of the nearest one around it. */
function nearestPosition(
  positions: ReadonlyMap<string, TokenPosition>,
  pointer: string,
): TokenPosition | undefined {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
    const position = positions.get(at);
    if (position || at === "") return position;
  }
}
