import { createMemoryStore } from "@toolcontract/core";
import { expect, test } from "vitest";
import { type RegisterTest, describeStore } from "./describe-store.ts";
import { describeLedger } from "./ledger-cases.ts";

/** The names under which an author's test runner lists the cases. */
function listed(describeIt: (test: RegisterTest) => void): readonly string[] {
  const names: string[] = [];
  describeIt((name) => names.push(name));
  return names;
}

test("each case of a store has a name of its own", () => {
  const harness = {
    place: () => undefined,
    open: () => createMemoryStore(),
    poison: () => undefined,
    clear: () => undefined,
  };
  expect(
    listed((register) => {
      describeStore(harness, register);
    }),
  ).toMatchInlineSnapshot(`
    [
      "what was never stored is null or undefined, and change() gets undefined",
      "an update says what it found and what it left",
      "data of 64 kB that is kept in place of attempts is read as it was written",
      "undefined removes, and so does delete()",
      "what change() throws is thrown, and nothing is written",
      "updates of one key follow each other, from any number of stores at once",
      "attempts are counted by model turn: one failure a turn",
      "attempts are counted by model turn: parallel failures of a turn share a number",
      "attempts are counted by model turn: a valid turn resets when the next begins",
      "attempts are counted by model turn: only valid turns in between",
      "attempts are counted by model turn: a valid call before the bad one of its turn",
      "attempts are counted by model turn: a valid call after the bad one of its turn",
      "attempts are counted by model turn: good and bad in every turn still ends",
      "attempts are counted by model turn: a valid call first of all",
      "attempts are counted by model turn: after the limit nothing is counted",
      "attempts are counted by model turn: a sibling of the last attempt shares it",
      "attempts are counted by model turn: a valid turn unblocks",
      "attempts are counted by model turn: a valid call beside a bad one does not unblock",
      "a new run starts a new count",
      "a new run changes nothing in scope "thread"",
      "the history of the attempts is what was recorded, and names a repetition",
      "a tool that is closed stays closed in its lane, with its outcome",
      "conversations and tools are kept apart, whatever their names are",
      "reset() clears one tool only",
      "calls within the window are one turn on all stores, whatever turns they name",
      "what replicas are answered at once is what one process would be answered in some order",
      "four processes at once: each of 100 failed turns of 20 keys counts, and 200 tools escalate exactly once",
      "a slow engine counts exactly",
      "an engine that hangs: counting goes on, nothing is written late, and the counts are merged",
      "an engine that fails: counting goes on, and the higher count wins",
      "a foreign value counts as nothing and is replaced: empty",
      "a foreign value counts as nothing and is replaced: short",
      "a foreign value counts as nothing and is replaced: no JSON",
      "a foreign value counts as nothing and is replaced: of a later version",
      "a foreign value counts as nothing and is replaced: huge",
      "a foreign value counts as nothing and is replaced: not ASCII",
      "an engine that loses everything counts from the start, exactly",
    ]
  `);
});

test("each case of a ledger has a name of its own", () => {
  const harness = { place: () => undefined, open: () => expect.unreachable() };
  expect(
    listed((register) => {
      describeLedger(harness, register);
    }),
  ).toMatchInlineSnapshot(`
    [
      "an amount is reserved, spent, in doubt or given back, and another process sees it",
      "an entry is reserved as a whole or not at all, and each claim that does not fit is named",
      "what is spent, reserved and in doubt is in the way of what is reserved, up to the last unit",
      "an end that comes twice, or after another one, changes nothing; one in doubt may still be decided",
      "an entry that is reserved again is there already, because its answer was lost",
      "an entry that another call takes over counts once, and is in doubt again if that call does nothing",
      "open entries are listed oldest first, with everything that they hold",
      "sums are exact for whole numbers, and for fractions as a person adds them",
      "accounts are kept apart, whatever their names are",
      "a clock that is ahead frees nothing, nor does reading, and what ended late counts by when it ended",
      "what ended before a window does not count, and what may be running counts in every one",
      "four processes at once: exactly as much is granted as the account holds",
    ]
  `);
});
