import { childOf, lastKey, parentOf } from "../pointer.ts";
import { oppositeName } from "./antonyms.ts";
import { misspell } from "./misspell.ts";
import { isRecord } from "./resolve-schema.ts";
import { faultAt, type MakeSlip } from "./slip.ts";
import { wordsForTypes } from "./type-words.ts";

const UNKNOWN = [
  "unknown",
  "unrecognized",
  "additional",
  "unexpected",
  "not in the list",
  "not allowed",
];

/** A key under another spelling. In an open object it is a fault only where the field is required. */
export const misspeltSlip: MakeSlip = (site, random) => {
  const key = lastKey(site.pointer);
  if (key === undefined || site.siblings.length === 0) return undefined;
  const wrong = misspell(key, random, "key");
  if (site.siblings.includes(wrong)) return undefined;
  const place = childOf(parentOf(site.pointer), wrong);
  const literal = JSON.stringify(site.value);
  const words = [
    ...wordsForTypes(site.schema),
    ...(literal.length < 60 ? [literal] : []),
    `to "${key}"`,
  ];
  return {
    edit: { remove: [site.pointer], set: [[place, site.value]] },
    fault: faultAt(site, {
      kind: "misspelt",
      pointer: place,
      also: [site.pointer],
      fix: [[key], ...(site.optional ? [] : [words])],
      near: key,
      undo: { remove: [place], set: [[site.pointer, site.value]] },
    }),
  };
};

/** A key that the tool does not know; many look like one that it does know and mean something else. */
export const unknownSlip: MakeSlip = (site, random) => {
  if (!isRecord(site.value) || site.schema["additionalProperties"] !== false) return undefined;
  const known = isRecord(site.schema["properties"]) ? Object.keys(site.schema["properties"]) : [];
  const opposites = known.flatMap((name) => oppositeName(name) ?? []);
  const made = opposites.filter((name) => !known.includes(name));
  const key = made.length > 0 && random.next() < 0.6 ? random.pick(made) : random.pick(FOREIGN);
  if (known.includes(key)) return undefined;
  const pointer = childOf(site.pointer, key);
  return {
    edit: { remove: [], set: [[pointer, random.pick([true, 5, "yes", null])]] },
    fault: faultAt(site, {
      kind: "unknown",
      pointer,
      fix: [UNKNOWN],
      siblings: known,
      undo: { remove: [pointer], set: [] },
    }),
  };
};

const FOREIGN = [
  "reasoning",
  "explanation",
  "timeout_ms",
  "dry_run",
  "verbose",
  "confirm",
  "lang",
  "note",
  "metadata",
  "request_id",
  "extra",
];
