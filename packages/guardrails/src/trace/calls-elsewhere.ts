import type { LedgerEntry } from "@toolcontract/core";
import type { CallElsewhere, CallsElsewhere, ReturnedElsewhere } from "@toolcontract/core/stage";
import { chain, isRecord } from "@toolcontract/core/adapter";
import { isPlainObject } from "../outcome/index.ts";
import type { Records } from "./records.ts";

const MAX_RESULT = 65_000;

/** Tells other processes which calls have run, by records that they share; and what they returned, if that is to be kept. */
export function callsIn(records: Records, keepsResults: boolean): CallsElsewhere {
  const note = async (
    element: string,
    status: CallElsewhere["status"],
    result?: Pick<ReturnedElsewhere, "output">,
  ): Promise<CallElsewhere | undefined> => {
    let before: CallElsewhere | undefined;
    await records.change(["ran", element], (piece) => {
      before = elsewhere(piece);
      if (piece && before?.status === "ended") return piece;
      return { now: status, ...(result && { kept: result }) };
    });
    return before;
  };
  return {
    find: (element) => chain(records.readNow(["ran", element]), elsewhere),
    begin: async (element) => note(element, "begun"),
    end: async (element, returned) =>
      void (await note(element, "ended", keepsResults ? resultIn(returned) : undefined)),
    forget: async (element) => records.remove(["ran", element]),
  };
}

/** What can be kept of what a tool returned: plain data as it is, or the text of anything else. */
function resultIn(
  returned: ReturnedElsewhere | undefined,
): Pick<ReturnedElsewhere, "output"> | undefined {
  if (returned === undefined) return undefined;
  const { output, text } = returned;
  if (output === undefined || isShort(output)) return { output };
  return isShort(text) ? { output: text } : undefined;
}

/** Whether a value is JSON data that is not too long. */
function isShort(value: unknown): boolean {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text !== undefined && text.length <= MAX_RESULT && isJsonData(value);
  } catch {
    return false;
  }
}

/** Whether JSON says all of a value; members that are undefined say nothing. */
function isJsonData(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJsonData);
  if (!isPlainObject(value)) return false;
  return Object.values(value).every((member) => member === undefined || isJsonData(member));
}

/** Tells other processes what calls have reserved that wait for somebody. */
export function entriesIn(records: Records): {
  readonly keep: (call: string, entry: LedgerEntry) => Promise<void>;
  readonly take: (call: string) => Promise<LedgerEntry | undefined>;
} {
  return {
    keep: async (call, entry) => void (await records.change(["paused", call], () => ({ entry }))),
    async take(call) {
      const entry = (await records.read(["paused", call]))?.["entry"];
      if (entry === undefined) return undefined;
      await records.remove(["paused", call]);
      return isEntry(entry) ? entry : undefined;
    },
  };
}

/** Reads foreign data: another version may have written it. */
function isEntry(entry: unknown): entry is LedgerEntry {
  if (!isRecord(entry) || !isRecord(entry["facts"])) return false;
  const { id, claims, reservedAt } = entry;
  return typeof id === "string" && typeof reservedAt === "number" && Array.isArray(claims);
}

/** Reads foreign data. */
function elsewhere(
  piece: Readonly<Record<string, unknown>> | undefined,
): CallElsewhere | undefined {
  const status = piece?.["now"];
  if (status !== "begun" && status !== "ended") return undefined;
  const kept = piece?.["kept"];
  return { status, ...(isRecord(kept) && { returned: { output: kept["output"] } }) };
}
