import type { CallsElsewhere } from "@toolcontract/core/stage";
import type { LedgerEntry } from "@toolcontract/core";
import { chain, isRecord } from "@toolcontract/core/adapter";
import type { Records } from "./records.ts";

type HowFar = Awaited<ReturnType<CallsElsewhere["find"]>>;

/** Tells other processes which calls have run, by records that they share. */
export function callsIn(records: Records): CallsElsewhere {
  const note = async (element: string, now: NonNullable<HowFar>): Promise<HowFar> => {
    let before: HowFar;
    await records.change(["ran", element], (piece) => {
      before = howFar(piece);
      return { now: before === "ended" ? before : now };
    });
    return before;
  };
  return {
    find: (element) => chain(records.readNow(["ran", element]), howFar),
    begin: async (element) => note(element, "begun"),
    end: async (element) => void (await note(element, "ended")),
    forget: async (element) => records.remove(["ran", element]),
  };
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

function howFar(piece: Readonly<Record<string, unknown>> | undefined): HowFar {
  const now = piece?.["now"];
  return now === "begun" || now === "ended" ? now : undefined;
}
