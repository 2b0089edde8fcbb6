import type { Payment, PaymentMessage, ReplayNeed } from "./replays-kit.ts";
import type { ReplayWorld } from "./replay-world.ts";

/** A row of the table: what must hold of calls that come again, in every host. */
export interface ReplayCase {
  /** What it belongs to: outcomes, one key and one entry, places, windows, and who lacks what. */
  readonly clause: "outcome" | "entry" | "place" | "window" | "omission";
  readonly name: string;
  readonly needs: readonly ReplayNeed[];
  readonly run: (world: ReplayWorld) => Promise<void>;
}

/** Nobody is asked about it. */
export const KIM: Payment = { to: "Kim", amount: 20 };
/** Somebody is asked about it. */
export const LEE: Payment = { to: "Lee", amount: 800 };

/** What the model reads of payments that were made. */
export const sentTo = (payments: readonly Payment[]): readonly string[] =>
  payments.map(({ to }) => `sent to ${to}`);

/** The first message of a conversation of Ann. */
export const messageOf = (
  payments: readonly Payment[],
  more: Partial<PaymentMessage> = {},
): PaymentMessage => ({ name: "first", conversation: "t", user: "ann", payments, ...more });

/** The answer of the bank is lost. */
export const lost = (): never => {
  throw Object.assign(new Error("read timeout"), { code: "ETIMEDOUT" });
};
