import type { Ledger, LedgerEnd, LedgerEntry } from "@toolcontract/core";
import { errorClass, within } from "@toolcontract/core/adapter";
import { isNotDone } from "../outcome/index.ts";
import { beginCall } from "./owners.ts";

/** What a call has reserved, from before its tool runs until it is known what became of it. */
export interface Reservation {
  /** The tool runs from now on: until it says otherwise, it may have done anything. */
  start(): void;
  /** Follows the tool, which may go on after its call has ended. */
  follow(running: PromiseLike<unknown>): void;
  /** Reads what the tool returned or threw: it may say that nothing happened. */
  read(answer: unknown): void;
  /** Ends the reservation together with its call; pass `amounts` if less was spent than reserved. */
  end(hasSucceeded: boolean, amounts?: Readonly<Record<string, number>>): Promise<void>;
  /** Drops a reservation that the ledger has refused. */
  forget(): void;
  /** Ends a reservation of which the ledger has not said whether it was made, before the tool ran. */
  withdraw(): Promise<void>;
}

/** What a reservation needs. */
export interface ReservationServices {
  readonly ledger: Ledger;
  readonly now: () => number;
  /** Milliseconds that the ledger may take. */
  readonly timeLimit: number;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What is logged of an end that could not be written: the amount goes on counting, so no limit is exceeded. */
const NOT_ENDED = "A ledger could not be written, so an amount stays reserved";

/** Whether a call repeats one that may have happened, so that both are one entry. */
export interface Reserving {
  readonly takesOver: boolean;
}

/** Keeps what was reserved until it is spent, given back, or in doubt. */
export function keepReservation(
  entry: LedgerEntry,
  { ledger, now, timeLimit, log, takesOver }: ReservationServices & Reserving,
): Reservation {
  const call = beginCall(entry);
  let hasStarted = false;
  let isRunning = false;
  let saysNotDone = false;
  let isInDoubt = false;
  let hasEnded = false;

  async function write(end: LedgerEnd): Promise<void> {
    try {
      await within(Promise.resolve(ledger.end(entry, end)), timeLimit);
    } catch (thrown) {
      log(NOT_ENDED, { error: errorClass(thrown) });
    }
  }

  /** While another call of the entry is under way, the entry has not ended. */
  function inDoubt(): LedgerEnd {
    return { state: "in-doubt", ...(!isRunning && !call.isShared() && { at: now() }) };
  }

  /** What this call did not do, another one of the entry may have done. */
  function notDone(): LedgerEnd {
    return call.isSharedInDoubt() ? inDoubt() : { state: "not-done" };
  }

  /** After the call has ended, the tool has too. */
  function endLate(): void {
    isRunning = false;
    if (hasEnded) call.end();
    if (!isInDoubt) return;
    call.setInDoubt(!saysNotDone);
    void write(saysNotDone ? notDone() : inDoubt());
  }

  const reservation: Reservation = {
    start() {
      hasStarted = true;
    },
    follow(running) {
      isRunning = true;
      const end = (answer: unknown): void => {
        reservation.read(answer);
        endLate();
      };
      running.then(end, end);
    },
    read(answer) {
      if (isNotDone(answer)) saysNotDone = true;
    },
    async end(hasSucceeded, amounts) {
      isInDoubt = hasStarted && !saysNotDone && !hasSucceeded;
      hasEnded = true;
      call.setInDoubt(isInDoubt);
      try {
        if (isInDoubt) await write(inDoubt());
        else if (hasSucceeded)
          await write({ state: "spent", at: now(), ...(amounts && { amounts }) });
        else await write(notDone());
      } finally {
        // A tool that goes on is under way, whoever waits for it.
        if (!isRunning) call.end();
      }
    },
    forget: call.end,
    async withdraw() {
      call.end();
      // The entry may be that of another call, which nobody knows to be over.
      await write(takesOver ? { state: "in-doubt" } : { state: "not-done" });
    },
  };
  return reservation;
}
