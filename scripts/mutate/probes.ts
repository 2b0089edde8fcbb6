import type { Mutant, Place } from "./mutant.ts";

/** A place and its number, which is unique in a run. */
export interface Probe {
  readonly number: number;
  readonly place: Place;
}

/** Numbers the places of the mutants; mutants of one place share its number. */
export class Probes {
  readonly #numbers = new Map<string, number>();
  readonly #byFile = new Map<string, Probe[]>();

  numberOf({ file, place }: Mutant): number {
    const key = `${file}:${place.start}:${place.end}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    const probes = this.#byFile.get(file) ?? [];
    this.#byFile.set(file, [...probes, { number, place }]);
    return number;
  }

  of(file: string): readonly Probe[] {
    return this.#byFile.get(file) ?? [];
  }
}

/** The code with a call at each place: `__reached(7)`, which says that a run passed it. */
export function withProbes(text: string, probes: readonly Probe[]): string {
  const insertions = probes.flatMap(({ number, place: { start, end, kind } }) => {
    const call = `globalThis.__reached?.(${number})`;
    if (kind === "returned") return [open(start, end, `(${call}, `), close(start, end, ")")];
    if (kind === "bare") return [open(start, end, `{ ${call}; `), close(start, end, " }")];
    return [open(start, end, `${call}; `)];
  });
  // From the end, so that no position moves: of two at one position, what is inserted first comes after the other.
  return insertions
    .toSorted((a, b) => b.at - a.at || b.order - a.order)
    .reduce((done, { at, inserted }) => done.slice(0, at) + inserted + done.slice(at), text);
}

interface Insertion {
  readonly at: number;
  readonly inserted: string;
  /** Ascending in the code. */
  readonly order: number;
}

/** The outer of two opens first. */
function open(start: number, end: number, inserted: string): Insertion {
  return { at: start, inserted, order: Number.MAX_SAFE_INTEGER - end };
}

/** The inner of two closes first, before whatever opens there. */
function close(start: number, end: number, inserted: string): Insertion {
  return { at: end, inserted, order: -start };
}
