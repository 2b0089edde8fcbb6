/** One thing that a text says is wrong. */
export interface Complaint {
  /** Where; the root's pointer where the text names no place. */
  readonly pointer: string;
  /** What it says of it, without the values that were sent. */
  readonly words: string;
  /** The variant of a choice to which it belongs, where the text tells several variants' complaints apart. */
  readonly variant?: { readonly at: string; readonly index: number };
}

/** Reads the complaints out of a system's text. */
export type ReadText = (text: string) => readonly Complaint[];
