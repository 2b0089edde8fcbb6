import { jsonPointer, pointerKeys } from "@toolcontract/explain/adapter";
import type { LoggedCall, RefusedCall } from "./read-log.ts";

/** What a log says of one kind of error in one field. */
export interface LostCalls {
  readonly tool: string;
  /** JSON Pointer into the arguments; `*` stands for any item, and for a name that the schema does not declare. */
  readonly field: string;
  readonly code: string;
  /** How many calls were refused with this error. */
  readonly refused: number;
  /** How many of them were followed by a call of the tool that succeeded. */
  readonly recovered: number;
  /** How many were not. */
  readonly lost: number;
}

type Row = { -readonly [Key in keyof LostCalls]: LostCalls[Key] };

/** Counts the refused calls of a log by field and code, those with the most lost calls first. */
export function lostCalls(calls: readonly LoggedCall[]): readonly LostCalls[] {
  const rows = new Map<string, Row>();
  const open = new Map<string, RefusedCall[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.tool, call.correlation]);
    const waiting = open.get(key) ?? [];
    if (call.kind === "refused") {
      open.set(key, [...waiting, call]);
      for (const row of rowsOf(call, rows)) row.refused += 1;
    } else {
      for (const earlier of waiting.splice(-call.after, call.after))
        for (const row of rowsOf(earlier, rows)) row.recovered += 1;
    }
  }
  return [...rows.values()]
    .map((row) => ({ ...row, lost: row.refused - row.recovered }))
    .toSorted((one, other) => other.lost - one.lost || other.refused - one.refused);
}

/** The rows of a call, each once: a list may have the same fault in many items. */
function rowsOf({ tool, errors }: RefusedCall, rows: Map<string, Row>): ReadonlySet<Row> {
  return new Set(
    errors.map(({ path, code }) => {
      const field = withoutIndexes(path);
      const key = JSON.stringify([tool, field, code]);
      const row = rows.get(key) ?? { tool, field, code, refused: 0, recovered: 0, lost: 0 };
      rows.set(key, row);
      return row;
    }),
  );
}

function withoutIndexes(path: string): string {
  return jsonPointer(pointerKeys(path).map((key) => (/^\d+$/.test(key) ? "*" : key)));
}
