/** How the payment service answers a call. */
export type PaymentEnd = "paid" | "timeout" | 401 | 402 | 403 | 501;

/** What several users of one guarded set of tools do, and what none of them may get of another. */
export interface UserCase {
  readonly name: string;
  /** The turns of each user's run. A turn is one or more calls with the same arguments, each with how it ends. */
  readonly users: Readonly<Record<string, readonly (readonly PaymentEnd[])[]>>;
  /** Whose next turn is taken, round by round; the turns of one round are taken at once. */
  readonly rounds: readonly (readonly string[])[];
  /**
   * The idempotency keys that the service gets, by user, in the order of the script: one letter for one key. `null` is
   * a call that is not made because its tool is closed.
   */
  readonly keys: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Every row runs with call ids that are unique, and with ids that are the same for every user. */
export const USER_CASES: readonly UserCase[] = [
  {
    name: "a payment that timed out for one user is made for another, and keeps its key when it is repeated",
    users: { ann: [["timeout"], ["paid"]], bob: [["paid"]] },
    rounds: [["ann"], ["bob"], ["ann"]],
    keys: { ann: ["a", "a"], bob: ["b"] },
  },
  {
    name: "two users whose payments time out at once repeat them under keys of their own",
    users: { ann: [["timeout"], ["paid"]], bob: [["timeout"], ["paid"]] },
    rounds: [
      ["ann", "bob"],
      ["ann", "bob"],
    ],
    keys: { ann: ["a", "a"], bob: ["b", "b"] },
  },
  {
    name: "the success of one user ends no payment of another",
    users: { ann: [["timeout"], ["timeout"], ["paid"]], bob: [["paid"], ["paid"]] },
    rounds: [["ann"], ["bob"], ["ann"], ["bob"], ["ann"]],
    keys: { ann: ["a", "a", "a"], bob: ["b", "c"] },
  },
  {
    name: "equal payments of one turn have keys of their own, and the one that failed keeps its key",
    users: { ann: [["paid", "timeout"], ["paid"]], bob: [["timeout", "paid"], ["paid"]] },
    rounds: [
      ["ann", "bob"],
      ["ann", "bob"],
    ],
    keys: { ann: ["a", "b", "b"], bob: ["c", "d", "c"] },
  },
  {
    name: "a closed tool is closed for the run that closed it",
    users: { ann: [[401], ["paid"]], bob: [["paid"], ["paid"]] },
    rounds: [["ann"], ["bob"], ["ann"], ["bob"]],
    keys: { ann: ["a", null], bob: ["b", "c"] },
  },
  {
    name: "whatever closes the tools of others at the same time, one user's stays open",
    users: {
      ann: [[401], ["paid"]],
      // What one call lacks says nothing of the next: the tool stays open.
      bob: [[402], ["paid"]],
      cid: [[403], ["paid"]],
      dan: [[501], ["paid"]],
      eve: [["paid"], ["paid"]],
    },
    rounds: [
      ["ann", "bob", "cid", "dan", "eve"],
      ["ann", "bob", "cid", "dan", "eve"],
    ],
    keys: {
      ann: ["a", null],
      bob: ["b", "b"],
      cid: ["c", "c"],
      dan: ["d", null],
      eve: ["e", "f"],
    },
  },
];
