import type { Per } from "@toolcontract/guardrails";

/** What has really happened: the bank's own books, which no guardrail sees. */
export interface World {
  /** Milliseconds since 1970. */
  now: number;
  /** Pays, and notes by how much the limit is exceeded now. */
  pay(callId: string, amount: number): void;
  /** What a call has paid, if it has. */
  paidBy(callId: string): number | undefined;
  /** The sum of all payments. */
  total(): number;
  /** By how much the limit was exceeded at worst. */
  overrun(): number;
  /** How many calls have paid more than once. */
  doubled(): number;
}

const WINDOWS = { minute: 60_000, hour: 3_600_000 } as const;
const DAY = 86_400_000;

/** Opens the books of a limit. */
export function openWorld(max: number, per: Per | undefined, now: number): World {
  const payments: { readonly callId: string; readonly amount: number; readonly at: number }[] = [];
  let worst = 0;
  const world: World = {
    now,
    pay(callId, amount) {
      payments.push({ callId, amount, at: world.now });
      const inWindow = payments.filter(({ at }) => isTogether(at, world.now, per));
      worst = Math.max(worst, sumOf(inWindow) - max);
    },
    paidBy: (callId) => payments.find((payment) => payment.callId === callId)?.amount,
    total: () => sumOf(payments),
    overrun: () => worst,
    doubled: () => payments.length - new Set(payments.map(({ callId }) => callId)).size,
  };
  return world;
}

function isTogether(earlier: number, later: number, per: Per | undefined): boolean {
  switch (per) {
    case "minute":
    case "hour":
      return earlier > later - WINDOWS[per];
    case "day":
      return Math.floor(earlier / DAY) === Math.floor(later / DAY);
    case "run":
    case undefined:
      return true;
  }
}

function sumOf(payments: readonly { readonly amount: number }[]): number {
  return payments.reduce((sum, { amount }) => sum + amount, 0);
}
