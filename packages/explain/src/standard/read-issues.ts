import type { PathSegment } from "../shared/index.ts";
import {
  type IssueReader,
  type IssueReading,
  type ReadOwn,
  type StandardIssue,
  readArktypeIssue,
  readValibotIssue,
  readZodIssue,
} from "./vendors/index.ts";

const MAX_INNER = 50;
const MAX_NESTING = 4;

const READERS: ReadonlyMap<string, IssueReader> = new Map([
  ["zod", readZodIssue],
  ["valibot", readValibotIssue],
  ["arktype", readArktypeIssue],
]);

/** Reads at most `limit` issues of a validator; what no reader understands is kept as opaque. */
export function readIssues(
  issues: unknown,
  vendor: string,
  limit: number,
  readOwn: ReadOwn,
): readonly StandardIssue[] {
  const reader = READERS.get(vendor);
  return readList(issues, { reader, readOwn }, limit, [], 0);
}

/** How the issues of a library are read. */
interface Reading {
  readonly reader: IssueReader | undefined;
  readonly readOwn: ReadOwn;
}

function readList(
  issues: unknown,
  by: Reading,
  limit: number,
  base: readonly PathSegment[],
  nesting: number,
): readonly StandardIssue[] {
  return firstEntries(issues, limit).flatMap((issue) => {
    const read = readIssue(issue, by, base, nesting);
    return read.reading.kind === "several" ? read.reading.issues : [read];
  });
}

function readIssue(
  issue: unknown,
  by: Reading,
  base: readonly PathSegment[],
  nesting: number,
): StandardIssue {
  try {
    const record = issue as Readonly<Record<string, unknown>>;
    const path = [...base, ...firstEntries(record["path"], Infinity).map(segmentOf)];
    const message = typeof record["message"] === "string" ? record["message"] : "";
    const readInner = (inner: unknown, relative: boolean): readonly StandardIssue[] =>
      nesting < MAX_NESTING
        ? readList(inner, by, MAX_INNER, relative ? path : base, nesting + 1)
        : [];
    const reading = by.reader?.(record, readInner) ?? OPAQUE;
    const own = by.reader && by.readOwn(record, message, path);
    return own === undefined ? { path, message, reading } : { path, message, own, reading };
  } catch {
    return { path: base, message: "", reading: OPAQUE };
  }
}

const OPAQUE: IssueReading = { kind: "opaque" };

/** The first entries of an array; some libraries subclass Array in ways that break its methods. */
function firstEntries(list: unknown, limit: number): readonly unknown[] {
  if (!Array.isArray(list)) return [];
  const entries: unknown[] = [];
  const end = Math.min(list.length, limit);
  for (let index = 0; index < end; index += 1) entries.push(list[index]);
  return entries;
}

function segmentOf(segment: unknown): PathSegment {
  const key =
    typeof segment === "object" && segment !== null && "key" in segment ? segment.key : segment;
  if (typeof key === "symbol") return key.description ?? "(symbol)";
  return typeof key === "number" ? key : String(key);
}
