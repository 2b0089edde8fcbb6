import type { RawCall, RawTurn } from "./turn.ts";

/** Keeps the calls of one streamed message as they were sent; `read` judges them by that. */
export interface WireTexts {
  /** Keeps what an event of the stream has of the calls. */
  add(event: unknown): void;
}

/** A call of a stream, so far. */
interface KeptText {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly more?: RawCall["more"];
  /** True for free text. */
  readonly isText?: boolean;
  /** Arguments that came whole. */
  readonly value?: unknown;
}

/** What is kept of a streamed message. */
export class KeptTexts implements WireTexts {
  turnId: string | undefined;
  finishReason: string | null | undefined;
  /** The part of the message that began last, in an API in which a call may not be the last one. */
  last: unknown;
  readonly #calls = new Map<unknown, KeptText>();
  readonly #texts = new Map<unknown, string>();
  readonly #read: (event: unknown, kept: KeptTexts) => void;

  constructor(read: (event: unknown, kept: KeptTexts) => void) {
    this.#read = read;
  }

  add(event: unknown): void {
    this.#read(event, this);
  }

  /** Begins a message anew. */
  clear(): void {
    this.#calls.clear();
    this.#texts.clear();
    this.turnId = undefined;
    this.finishReason = undefined;
    this.last = undefined;
  }

  /** Adds what is known of a call, under whatever tells the calls of the message apart. */
  call(key: unknown, { id, name, more, isText, value }: KeptText): void {
    const known = this.#calls.get(key) ?? {};
    this.#calls.set(key, {
      ...known,
      ...(id !== undefined && id !== null && { id }),
      ...(name !== undefined && name !== null && { name }),
      ...(more !== undefined && { more }),
      ...(isText !== undefined && { isText }),
      ...(value !== undefined && { value }),
    });
  }

  /** Adds to the text of a call. */
  text(key: unknown, part: unknown): void {
    if (!this.#calls.has(key)) this.#calls.set(key, {});
    if (typeof part === "string") this.#texts.set(key, this.textOf(key) + part);
  }

  /** The text of a call so far. */
  textOf(key: unknown): string {
    return this.#texts.get(key) ?? "";
  }

  /** What is known of a call. */
  known(key: unknown): KeptText | undefined {
    return this.#calls.get(key);
  }

  /** How many calls there are. */
  get size(): number {
    return this.#calls.size;
  }

  /** The calls in the order in which they began. */
  calls(): readonly RawCall[] {
    return [...this.#calls].map(([key, { id, name, more, isText, value }]) => {
      const sent = this.#texts.get(key);
      const text = sent === undefined || (sent === "" && isText !== true) ? value : sent;
      return {
        id,
        name,
        ...(more && { more }),
        ...(isText === true ? { text: text ?? "" } : { arguments: text ?? "" }),
      };
    });
  }
}

/** Whether there is a response beside the stream. */
export function isThere(response: unknown): boolean {
  return response !== undefined && response !== null;
}

/** A message as it was sent: what the response has, with the calls' own texts; or what the stream had, if there is no response. */
export function asSent(turn: RawTurn, texts: WireTexts | undefined, hasResponse: boolean): RawTurn {
  if (!(texts instanceof KeptTexts)) return turn;
  const kept = texts.calls();
  if (!hasResponse) return { calls: kept, turnId: texts.turnId, finishReason: texts.finishReason };
  const isAligned = kept.length === turn.calls.length;
  const calls = turn.calls.map((call, index) => {
    const sameId = kept.filter(({ id }) => id === call.id);
    const own = isAligned && kept[index]?.id === call.id ? kept[index] : undefined;
    const sent = own ?? (sameId.length === 1 ? sameId[0] : undefined);
    if (sent === undefined) return call;
    return "text" in call
      ? { ...call, text: sent.text ?? call.text }
      : { ...call, arguments: sent.arguments };
  });
  return { ...turn, calls };
}
