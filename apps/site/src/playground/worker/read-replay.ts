import * as v from "valibot";
import type { Replay } from "../engine/index.ts";
import { MAX_TURNS } from "../state/index.ts";

/** The longest string that is drawn; the engine's own are shorter. */
const MOST_CHARACTERS = 100_000;
const MOST_NOTES = 100;

const words = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MOST_CHARACTERS)),
);
const count = v.pipe(v.number(), v.integer());

/** A list that is cut before its items are read. */
function list<Item extends v.GenericSchema>(item: Item, most: number) {
  return v.pipe(
    v.custom<readonly unknown[]>(Array.isArray),
    v.transform((items) => items.slice(0, most)),
    v.array(item),
  );
}

const TURN = v.strictObject({
  place: v.exactOptional(v.strictObject({ number: count, of: count, name: words })),
  sent: words,
  written: v.exactOptional(v.strictObject({ from: count, to: count })),
  status: v.picklist(["ran", "rejected", "escalated", "blocked", "unfinished"]),
  attempt: count,
  maxAttempts: count,
  message: words,
  styles: v.strictObject({ standard: words, compact: words }),
  repairs: list(words, MOST_NOTES),
  unchecked: list(words, MOST_NOTES),
  placeholders: list(words, MOST_NOTES),
  changes: v.exactOptional(
    list(v.strictObject({ place: words, hint: v.exactOptional(words) }), MOST_NOTES),
  ),
  ranWith: v.exactOptional(words),
  escalation: v.exactOptional(words),
  log: v.exactOptional(words),
  corrected: v.exactOptional(v.string()),
});

const REPLAY = v.strictObject({
  tool: v.exactOptional(
    v.strictObject({
      name: words,
      readAs: words,
      schema: v.exactOptional(v.union([v.boolean(), v.record(v.string(), v.unknown())])),
    }),
  ),
  sent: v.exactOptional(v.string()),
  faults: list(
    v.strictObject({
      place: v.picklist(["Tool", "Call"]),
      severity: v.picklist(["error", "note"]),
      message: words,
    }),
    MOST_NOTES,
  ),
  turns: list(TURN, MAX_TURNS),
});

/**
 * Reads what a worker sent as a replay: nothing but strings, numbers and known words is drawn.
 *
 * @throws ValiError if it is none.
 */
export const readReplay: (reply: unknown) => Replay = v.parser(REPLAY);
