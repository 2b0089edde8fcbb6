import type { CallsElsewhere } from "@toolcontract/core/stage";
import { chain } from "@toolcontract/core/adapter";
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

function howFar(piece: Readonly<Record<string, unknown>> | undefined): HowFar {
  const now = piece?.["now"];
  return now === "begun" || now === "ended" ? now : undefined;
}
