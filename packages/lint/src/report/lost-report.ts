import { styleText } from "node:util";
import { ERROR_CODES } from "@toolcontract/explain";
import { oneLine, visibleJson } from "@toolcontract/explain/adapter";
import { type LostCalls, fieldName } from "../calls/index.ts";
import { cell, table } from "./markdown.ts";

/** What a log says of one field, and what to change. */
interface LostRow extends LostCalls {
  readonly advice: string | undefined;
}

const NOTHING = "The log has no refused call of these tools.";

/** Writes the refused calls of a log for people, a line or two for each field. */
export function lostTerminal(rows: readonly LostRow[], isColored: boolean): string {
  if (rows.length === 0) return NOTHING;
  const dim = (text: string): string =>
    isColored ? styleText("dim", text, { validateStream: false }) : text;
  return rows
    .flatMap((row) => [
      `${oneLine(row.tool, 64)}  ${oneLine(fieldName(row.field), 120)}  ${countsOf(row)}  ${dim(faultOf(row))}`,
      ...(row.advice === undefined ? [] : [`  ${oneLine(row.advice, 300)}`]),
    ])
    .join("\n");
}

/** Writes them as a Markdown table. */
export function lostMarkdown(rows: readonly LostRow[]): string {
  if (rows.length === 0) return NOTHING;
  return table(
    ["tool", "field", "lost", "refused", "recovered", "error", "what to change"],
    rows.map((row) => [
      cell(row.tool),
      cell(fieldName(row.field)),
      String(row.lost),
      String(row.refused),
      String(row.recovered),
      cell(faultOf(row)),
      cell(row.advice ?? ""),
    ]),
  );
}

/** Writes them as JSON. */
export function lostJson(rows: readonly LostRow[]): string {
  return visibleJson({ calls: rows }, 2);
}

function countsOf({ refused, recovered, lost }: LostRow): string {
  return `${lost} lost: ${refused} refused, ${recovered} recovered`;
}

function faultOf({ code }: LostRow): string {
  const meaning = ERROR_CODES[code as keyof typeof ERROR_CODES] as string | undefined;
  return meaning === undefined ? code : `${code} ${meaning.toLowerCase()}`;
}
