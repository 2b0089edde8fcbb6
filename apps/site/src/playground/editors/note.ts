import { forEachDiagnostic } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type Panel, showPanel } from "@codemirror/view";
import { isChecked, LONGEST_CHECKED } from "./bounds.ts";

/** Sets what the page found wrong with the text; the editor itself finds only faults of the syntax. */
export const setPageFault: ReturnType<typeof StateEffect.define<string | undefined>> =
  StateEffect.define<string | undefined>();

const pageFault = StateField.define<string | undefined>({
  create: () => undefined,
  update: (fault, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setPageFault)) fault = effect.value;
    return fault;
  },
});

/** The line below the text: its fault, or else that it is too long to be checked, or else the keys. */
export function note(id: string): Extension {
  return [
    pageFault,
    showPanel.of((view) => notePanel(view, id)),
    EditorView.contentAttributes.of((view) => ({
      "aria-describedby": id,
      "aria-invalid": faultOf(view.state) === undefined ? "false" : "true",
    })),
    EditorView.updateListener.of((update) => {
      const fault = faultOf(update.state);
      // A panel is not a live region, and the page has one of its own for the message.
      if (fault !== undefined && fault !== faultOf(update.startState))
        update.view.dispatch({ effects: EditorView.announce.of(fault) });
    }),
  ];
}

function notePanel(view: EditorView, id: string): Panel {
  const dom = document.createElement("p");
  dom.id = id;
  const show = (state: EditorState): void => {
    const fault = faultOf(state);
    const text = fault ?? (isChecked(state.doc) ? KEYS : TOO_LONG);
    if (dom.textContent === text) return;
    dom.textContent = text;
    dom.className = fault === undefined ? "cm-note" : "cm-note cm-note-fault";
  };
  show(view.state);
  return { dom, update: ({ state }) => show(state) };
}

const LIMIT = LONGEST_CHECKED.toLocaleString("en");
const TOO_LONG = `Longer than ${LIMIT} characters: no colors, no completion, not checked for faults while typing.`;

const MOD = /Mac|iP/.test(globalThis.navigator?.platform) ? "Cmd" : "Ctrl";
const KEYS = `Tab leaves the editor. ${MOD}-] indents, Ctrl-Space completes, ${MOD}-F finds.`;

function faultOf(state: EditorState): string | undefined {
  let fault: string | undefined;
  forEachDiagnostic(state, ({ message }, from) => {
    const line = state.doc.lineAt(from);
    fault ??= `Line ${line.number}, column ${from - line.from + 1}: ${message}.`;
  });
  return fault ?? state.field(pageFault);
}
