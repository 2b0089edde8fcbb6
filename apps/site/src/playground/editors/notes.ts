import { forEachDiagnostic } from "@codemirror/lint";
import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type Panel, showPanel } from "@codemirror/view";
import { isTooLong, LONGEST_CHECKED } from "./bounds.ts";

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

/** The lines below the text: the fault, that a long text is not checked, the keys. Screen readers read them too. */
export function notes(id: string): Extension {
  return [
    pageFault,
    showPanel.of((view) => notesPanel(view, id)),
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

function notesPanel(view: EditorView, id: string): Panel {
  const dom = document.createElement("div");
  dom.className = "cm-notes";
  dom.id = id;
  const [fault, size, keys] = ["cm-note-fault", "cm-note-size", "cm-note-keys"].map((name) => {
    const line = document.createElement("p");
    line.className = name;
    dom.append(line);
    return line;
  });
  const show = (state: EditorState): void => {
    setLine(fault, faultOf(state) ?? "");
    setLine(size, isTooLong(state.doc) ? TOO_LONG : "");
  };
  setLine(keys, keysOf(navigator.platform));
  show(view.state);
  return { dom, update: (update) => show(update.state) };
}

function setLine(line: HTMLElement | undefined, text: string): void {
  if (line === undefined || line.textContent === text) return;
  line.textContent = text;
  line.hidden = text === "";
}

const TOO_LONG = `Longer than ${LONGEST_CHECKED.toLocaleString("en")} characters: shown without colors, checks and completion.`;

function keysOf(platform: string): string {
  const mod = /Mac|iP/.test(platform) ? "Cmd" : "Ctrl";
  return `Tab leaves the editor. ${mod}-] indents, Ctrl-Space completes, ${mod}-F finds, F8 goes to the fault.`;
}

function faultOf(state: EditorState): string | undefined {
  let fault: string | undefined;
  forEachDiagnostic(state, ({ message }, from) => {
    const line = state.doc.lineAt(from);
    fault ??= `Line ${line.number}, column ${from - line.from + 1}: ${message}.`;
  });
  return fault ?? state.field(pageFault);
}
