/** A recording: the text of each file by its path. */
export type Files = ReadonlyMap<string, string>;

/** What one case made visible of one kind, where two recordings differ. */
export interface Difference {
  /** The file: host and theme. */
  readonly file: string;
  readonly name: string;
  readonly kind: string;
  /** What only the first has, and what only the second has; both empty if only the order differs. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Compares two recordings, case by case and kind by kind. */
export function compareRecordings(before: Files, after: Files): readonly Difference[] {
  const files = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return files.flatMap((file) => {
    const [one, other] = [before.get(file) ?? "", after.get(file) ?? ""];
    if (one === other) return [];
    const [old, now] = [groupLines(one), groupLines(other)];
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
      const [removed, added] = [old.get(key) ?? [], now.get(key) ?? []];
      if (removed.join("\n") === added.join("\n")) return [];
      const [name, kind] = JSON.parse(key) as [string, string];
      return [
        { file, name, kind, removed: without(removed, added), added: without(added, removed) },
      ];
    });
  });
}

/** The details of each kind in each case; the order of cases is that of the table, and not compared. */
function groupLines(text: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const line of text.split("\n").filter(Boolean)) {
    const { case: name, ...detail } = JSON.parse(line) as { readonly case: string };
    const key = JSON.stringify([name, Object.keys(detail).at(-1)]);
    groups.set(key, [...(groups.get(key) ?? []), JSON.stringify(detail)]);
  }
  return groups;
}

/** The lines that another list lacks; one that is there twice is lacking if the other has it once. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const index = left.indexOf(line);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

const MOST_LINES = 3;
const WIDTH = 160;
const LEAD = 60;

/** Renders a difference: where it is, and of each line the part around the first character that differs. */
export function renderDifference({ file, name, kind, removed, added }: Difference): string {
  const count = Math.max(removed.length, added.length);
  const lines = Array.from({ length: Math.min(count, MOST_LINES) }, (_, index) => {
    const [old, now] = [removed[index], added[index]];
    const start = old && now ? Math.max(0, firstDifference(old, now) - LEAD) : 0;
    return [
      ...(old === undefined ? [] : [`  - ${cut(old, start)}`]),
      ...(now === undefined ? [] : [`  + ${cut(now, start)}`]),
    ];
  });
  if (count === 0) lines.push(["  the same lines in another order"]);
  if (count > MOST_LINES) lines.push([`  … and ${count - MOST_LINES} more`]);
  return [`${file}: ${name}: ${kind}`, ...lines.flat()].join("\n");
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function cut(line: string, start: number): string {
  const end = start + WIDTH;
  return (start > 0 ? "…" : "") + line.slice(start, end) + (end < line.length ? "…" : "");
}
