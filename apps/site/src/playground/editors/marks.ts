import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Span } from "../json/index.ts";

/** A range in the editor that the message is about. */
export interface Mark extends Span {
  /** The code of its fault. */
  readonly code: string;
}

/** Underlines these parts of the text, and no others. */
export const setMarks: ReturnType<typeof StateEffect.define<readonly Mark[]>> =
  StateEffect.define<readonly Mark[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (shown, { changes, effects, newDoc }) => {
    for (const effect of effects)
      if (effect.is(setMarks)) return drawn(effect.value, newDoc.length);
    return shown.map(changes);
  },
  provide: (from) => EditorView.decorations.from(from),
});

function drawn(marks: readonly Mark[], length: number): DecorationSet {
  // They are of the text as it was sent, which may have changed since.
  const within = marks.filter(({ from, to }) => from < to && to <= length);
  const ranges = within.map(({ from, to, code }) =>
    Decoration.mark({ class: "cm-fault", attributes: { title: code } }).range(from, to),
  );
  return Decoration.set(ranges, true);
}

/** The underlines of what the message is about. */
export const marks: Extension = field;
