import { parentOf, pointerOf } from "../pointer.ts";
import type { Random } from "../random.ts";
import { applyEdit } from "./apply-edit.ts";
import type { Fault } from "./fault.ts";
import { misspeltSlip, unknownSlip } from "./key-slips.ts";
import { limitSlip, shapeSlip } from "./limit-slips.ts";
import type { Site } from "./sites.ts";
import type { MakeSlip } from "./slip.ts";
import { typeSlip } from "./type-slip.ts";
import { duplicateSlip, enumSlip, missingSlip } from "./value-slips.ts";

/** How often each slip happens, of a hundred: measured on real models' invalid calls. */
const MIX = {
  type: 60,
  missing: 12,
  tail: 5,
  enum: 8,
  misspelt: 4,
  unknown: 4,
  limit: 3,
  shape: 2,
  duplicate: 1,
} as const;

const SLIPS: Readonly<Record<Exclude<keyof typeof MIX, "tail">, MakeSlip>> = {
  type: typeSlip,
  missing: missingSlip,
  enum: enumSlip,
  misspelt: misspeltSlip,
  unknown: unknownSlip,
  limit: limitSlip,
  shape: shapeSlip,
  duplicate: duplicateSlip,
};

const TRIES = 40;

/** A way to spoil a call. */
export type SlipKind = keyof typeof MIX;

/** Draws a way to spoil a call, as often as models do it. */
export function drawKind(random: Random): SlipKind {
  return random.weighted(MIX);
}

/** Arguments with faults in them. */
export interface Spoilt {
  readonly args: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
}

/** Makes as many slips as models make in one call, at places that do not touch each other. */
export function spoil(
  sites: readonly Site[],
  golden: unknown,
  first: SlipKind,
  random: Random,
): Spoilt {
  const count = Number(random.weighted({ "1": 67, "2": 23, "3": 2, "4": 2, "5": 3, "6": 3 }));
  const faults: Fault[] = [];
  let args = golden as Spoilt["args"];
  const makeOne = (make: MakeSlip, site: Site): boolean => {
    const slip = touches(site.pointer, faults) ? undefined : make(site, random);
    if (slip === undefined || touches(slip.fault.pointer, faults)) return false;
    args = applyEdit(args, slip.edit);
    faults.push(slip.fault);
    return true;
  };
  for (let tried = 0; tried < TRIES && faults.length < count; tried += 1) {
    const kind = tried < 3 && faults.length === 0 ? first : drawKind(random);
    if (kind === "tail") {
      const fields = sites.filter(({ depth }) => depth === 1);
      const from = 1 + random.below(Math.max(1, fields.length));
      for (const site of fields.slice(from)) makeOne(missingSlip, site);
    } else {
      shuffled(sites, random).some((site) => makeOne(SLIPS[kind], site));
    }
  }
  return { args, faults };
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random.next() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

/** Whether a place holds a faulty one, is one or is inside of one. */
function touches(pointer: string, faults: readonly Fault[]): boolean {
  return faults.some((fault) =>
    [fault.pointer, ...fault.also].some(
      (other) =>
        isInside(pointer, other) || (isInside(other, pointer) && parentOf(other) !== pointer),
    ),
  );
}

function isInside(inner: string, outer: string): boolean {
  return inner === outer || (outer !== pointerOf([]) && inner.startsWith(`${outer}/`));
}
