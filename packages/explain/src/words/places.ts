/** The longest list of places in one bullet, in UTF-16 units; more of them begin another bullet. */
const MAX_PLACES_LENGTH = 600;
/** The most items that one `/list/0 to /list/4` stands for. */
const MAX_RUN = 1_000;
/** Shorter runs of neighbours are listed. */
const MIN_RUN = 3;

const ITEM = /^(.*)\/(0|[1-9]\d{0,8})$/;
const RUN = /^(\/.*)\/(0|[1-9]\d{0,8}) to \1\/([1-9]\d{0,8})$/;
/** Characters in a path that would make it read as several paths. */
const SEPARATOR_IN_PLACE = /,(?= \/)| (?=to \/)/g;

/** Whether a pointer may stand in a list: one with a comma or a blank would read as two. */
export function isListable(pointer: string): boolean {
  return /^\/[^, ]*$/.test(pointer);
}

/** Writes pointers as one list: `/a, /b`, and neighbours in an array as `/list/0 to /list/4`. */
export function writePlaces(pointers: readonly string[]): string {
  const [only = ""] = pointers;
  if (pointers.length === 1)
    return only.replaceAll(SEPARATOR_IN_PLACE, (mark) => (mark === "," ? "\\u002c" : "\\u0020"));
  return runsOf(pointers)
    .flatMap((run) => (run.length < MIN_RUN ? run : [`${run[0]} to ${run.at(-1)}`]))
    .join(", ");
}

/** Reads the pointers of a list; undefined if it stands for too many. */
export function readPlaces(list: string): readonly string[] | undefined {
  const parts = list.split(", ");
  if (parts.some((part) => !part.startsWith("/"))) return [list];
  const pointers = parts.map(readRun);
  return pointers.every((run) => run !== undefined) ? pointers.flat() : undefined;
}

/** Splits pointers into lists, none of them longer than a bullet should be. */
export function splitPlaces(pointers: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let length = 0;
  for (const run of runsOf(pointers)) {
    const written = writePlaces(run).length + 2;
    const last = lists.at(-1);
    if (last === undefined || length + written > MAX_PLACES_LENGTH) {
      lists.push([...run]);
      length = written;
    } else {
      last.push(...run);
      length += written;
    }
  }
  return lists;
}

/** Puts neighbours in an array together. */
function runsOf(pointers: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [];
  for (const pointer of pointers) {
    const run = runs.at(-1);
    const [, list, index] = ITEM.exec(pointer) ?? [];
    const before = ITEM.exec(run?.at(-1) ?? "");
    const follows =
      list !== undefined && before?.[1] === list && Number(index) === Number(before[2]) + 1;
    if (run !== undefined && follows && run.length < MAX_RUN) run.push(pointer);
    else runs.push([pointer]);
  }
  return runs;
}

function readRun(part: string): readonly string[] | undefined {
  const [, list, from, to] = RUN.exec(part) ?? [];
  if (list === undefined) return [part];
  const [first, count] = [Number(from), Number(to) - Number(from) + 1];
  if (count < 2 || count > MAX_RUN) return undefined;
  return Array.from({ length: count }, (_, at) => `${list}/${first + at}`);
}
