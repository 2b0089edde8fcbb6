import type { PathSegment } from "../shared/index.ts";
import {
  type IssueReader,
  type IssueReading,
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
): readonly StandardIssue[] {
  return readList(issues, READERS.get(vendor), limit, [], 0);
}

function readList(
  issues: unknown,
  reader: IssueReader | undefined,
  limit: number,
  base: readonly PathSegment[],
  nesting: number,
): readonly StandardIssue[] {
  return firstEntries(issues, limit).flatMap((issue) => {
    const read = readIssue(issue, reader, base, nesting);
    return read.reading.kind === "several" ? read.reading.issues : [read];
  });
}

function readIssue(
  issue: unknown,
  reader: IssueReader | undefined,
  base: readonly PathSegment[],
  nesting: number,
): StandardIssue {
  try {
    const record = issue as Readonly<Record<string, unknown>>;
    const path = [...base, ...firstEntries(record["path"], Infinity).map(segmentOf)];
    const message = typeof record["message"] === "string" ? record["message"] : "";
    const readInner = (inner: unknown, relative: boolean): readonly StandardIssue[] =>
      nesting < MAX_NESTING
        ? readList(inner, reader, MAX_INNER, relative ? path : base, nesting + 1)
        : [];
    return { path, message, reading: reader?.(record, readInner) ?? OPAQUE };
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
