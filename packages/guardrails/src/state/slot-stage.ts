import { ToolContractError } from "@toolcontract/core";
import type { ReadOnly, Staged } from "../shared/index.ts";
import type { Frozen } from "./copy-plain-data.ts";
import type { Opened, SlotRule } from "./slot-rule.ts";
import { type SlotLayout, stagedState, slotsView } from "./slot-views.ts";

/** What an attempt works on: the committed state, or the stage of the attempt that it joins. */
export interface SlotSource {
  /** Stands for what is committed in a slot: another object after each commit of a change. */
  version(slot: string): Frozen;
  /** What a slot holds now; a function if that takes a copy. */
  current(slot: string): Frozen | (() => Frozen);
  /** Throws if an attempt may not touch the slot, or not any more. */
  allow(slot: string): void;
  /** Takes what an attempt did to a slot. */
  put(slot: string, touched: Touched): void;
}

/** What an attempt did to a slot. */
export interface Touched {
  /** The version of the slot when it was first touched. */
  readonly base: Frozen;
  /** What it held when it was opened, and after sealing what the attempt made of it. */
  readonly value: Frozen;
  readonly isChanged: boolean;
  /** What the tool has in its hands. */
  readonly opened?: Opened;
}

/** The stage of an attempt on slots. A slot is opened when it is first touched, so that an attempt costs what it touches. */
export class SlotStage<State> implements Staged<State>, SlotSource {
  readonly state: State;
  isolationMs = 0;
  readonly #layout: SlotLayout;
  readonly #source: SlotSource;
  readonly #allowed: readonly string[] | undefined;
  readonly #touched = new Map<string, Touched>();
  /** What the sealed state shows of the slots that were not touched. */
  readonly #shown = new Map<string, Frozen>();
  #phase: "open" | "sealed" | "over" = "open";
  #sealed: ReadOnly<State> | undefined;

  constructor(layout: SlotLayout, source: SlotSource, allowed: readonly string[] | undefined) {
    this.#layout = layout;
    this.#source = source;
    this.#allowed = allowed;
    this.state = stagedState(layout, {
      read: (slot) => this.#open(slot).value,
      write: (slot, value) => this.#write(slot, value),
    }) as State;
  }

  /** Whether the stage belongs to the store with this layout. */
  isOf(layout: SlotLayout): boolean {
    return this.#layout === layout;
  }

  touched(): readonly string[] {
    return [...this.#touched.keys()];
  }

  conflicts(read: readonly string[] = []): readonly string[] {
    const changed = [...this.#touched]
      .filter(([slot, { base }]) => base !== this.#source.version(slot))
      .map(([slot]) => slot);
    const stale = read.filter((slot) => this.#shown.get(slot) !== this.#source.version(slot));
    return [...changed, ...stale.filter((slot) => !this.#touched.has(slot))];
  }

  seal(): ReadOnly<State> {
    if (this.#sealed !== undefined) return this.#sealed;
    this.#checkOpen();
    // If a slot cannot be copied, nothing of this attempt can be committed.
    this.#phase = "over";
    for (const [slot, touched] of this.#touched) this.#touched.set(slot, this.#close(touched));
    this.#phase = "sealed";
    for (const slot of this.#layout.rules.keys()) {
      if (!this.#touched.has(slot)) this.#shown.set(slot, this.#source.version(slot));
    }
    this.#sealed = slotsView<State>(this.#layout.rules, (slot) => this.current(slot));
    return this.#sealed;
  }

  commit(): void {
    if (this.#phase === "open") this.seal();
    if (this.#phase !== "sealed") this.#checkOpen();
    this.#phase = "over";
    for (const [slot, touched] of this.#touched) this.#source.put(slot, touched);
  }

  rollback(): void {
    this.#phase = "over";
  }

  version(slot: string): Frozen {
    return this.#touched.get(slot)?.value ?? this.#source.version(slot);
  }

  current(slot: string): Frozen | (() => Frozen) {
    const touched = this.#touched.get(slot);
    if (touched === undefined) return this.#source.current(slot);
    const { opened, value } = touched;
    const rule = this.#rule(slot);
    return opened === undefined ? value : () => rule.freeze(opened.box.value);
  }

  allow(slot: string): void {
    this.#checkOpen();
    if (
      this.#allowed !== undefined &&
      this.#rule(slot).isWritable &&
      !this.#allowed.includes(slot)
    ) {
      throw new ToolContractError(notLocked(slot, this.#allowed));
    }
    this.#source.allow(slot);
  }

  put(slot: string, touched: Touched): void {
    this.#checkOpen();
    const own = this.#touched.get(slot);
    if (own === undefined) this.#touched.set(slot, touched);
    else if (touched.isChanged) this.#touched.set(slot, { ...touched, base: own.base });
  }

  #open(slot: string): Opened["box"] {
    this.allow(slot);
    const known = this.#touched.get(slot);
    if (known?.opened !== undefined) return known.opened.box;
    const touched = known ?? this.#firstTouch(slot);
    const opened = this.#timed(() => this.#rule(slot).open(touched.value));
    this.#touched.set(slot, { ...touched, opened });
    return opened.box;
  }

  #firstTouch(slot: string): Touched {
    const current = this.#source.current(slot);
    const value = typeof current === "function" ? this.#timed(current) : current;
    return { base: this.#source.version(slot), value, isChanged: false };
  }

  #write(slot: string, value: unknown): void {
    if (!this.#rule(slot).isWritable) {
      throw new ToolContractError(
        `State: the slot '${slot}' is read-only; take it out of slotStore's option readonly to write it.`,
      );
    }
    this.#open(slot).value = value;
  }

  #close(touched: Touched): Touched {
    const { base, opened, isChanged } = touched;
    if (opened === undefined) return touched;
    const value = this.#timed(() => opened.close());
    return { base, value, isChanged: isChanged || value !== touched.value };
  }

  #rule(slot: string): SlotRule {
    const rule = this.#layout.rules.get(slot);
    if (rule === undefined) throw new ToolContractError(`State: there is no slot '${slot}'.`);
    return rule;
  }

  #checkOpen(): void {
    if (this.#phase === "open") return;
    throw new ToolContractError(
      "State: the attempt is closed. Await everything that uses its state before the tool returns.",
    );
  }

  #timed<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.isolationMs += performance.now() - start;
    }
  }
}

function notLocked(slot: string, allowed: readonly string[]): string {
  const has = allowed.length === 0 ? "no slot" : `only ${allowed.join(", ")}`;
  const needed = [...allowed, slot].map((name) => `"${name}"`).join(", ");
  return (
    `State: the tool used the slot '${slot}', but may use ${has}. ` +
    `Declare it in createGuardrails: { locks: { <tool>: [${needed}] } }.`
  );
}
