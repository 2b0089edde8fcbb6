import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { nextDiagnostic } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, type Extension, Text } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { appearance } from "./appearance.ts";
import { isChecked, showsInvisible, unlessSlow } from "./bounds.ts";
import { changeBetween } from "./change-between.ts";
import { TOOL_SCHEMA } from "./completion/index.ts";
import { jsonMode } from "./json-mode.ts";
import { keptSelection } from "./kept-selection.ts";
import { note, setPageFault } from "./note.ts";
import { search } from "./search.ts";

/** An editor in the page. */
export interface Editor {
  readonly element: HTMLElement;
  /** Replaces the text as the program: the cursor stays where it can, a user can undo it, `onChange` is not called. */
  setText(text: string): void;
  setLanguage(language: "json" | "zod"): void;
  /** The schema whose keys and values are completed if `completes` is "arguments". */
  setSchema(schema: unknown): void;
  /** What the page found wrong with the text. A fault of the syntax is found and shown by the editor. */
  setFault(message: string | undefined): void;
  focus(): void;
  destroy(): void;
}

/** What an editor needs. */
export interface EditorOptions {
  readonly parent: HTMLElement;
  /** The accessible name of the textbox. */
  readonly label: string;
  readonly text: string;
  readonly completes: "json-schema" | "arguments";
  /** Called for each change by a user, undo included. */
  readonly onChange: (text: string) => void;
}

const fromProgram = Annotation.define<boolean>();

/** Creates an editor in `parent`. */
export function createEditor(options: EditorOptions): Editor {
  let language: "json" | "zod" = "json";
  let schema: unknown;
  const json = jsonMode(() => (options.completes === "arguments" ? schema : TOOL_SCHEMA));
  const mode = new Compartment();
  // Only "\n" ends a line, so that a "\r" of what was sent is kept, and seen.
  const doc = Text.of(options.text.split("\n"));

  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc,
      extensions: [
        EditorState.lineSeparator.of("\n"),
        // A file may begin with a byte order mark, which JSON does not allow and nobody sees.
        EditorView.clipboardInputFilter.of((text) =>
          text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n"),
        ),
        indentUnit.of("  "),
        history(),
        bracketMatching(),
        keptSelection,
        // No brackets are closed by themselves: what is typed is what a model sent, cut or not.
        mode.of(unlessSlow(doc, isChecked, json)),
        unlessSlow(doc, showsInvisible, highlightSpecialChars()),
        search(),
        keymap.of([
          { key: "F8", run: nextDiagnostic },
          // No binding for Tab: it moves the focus, as in the rest of the page.
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.lineWrapping,
        // Without `tabindex`, checkers take what can be edited for what cannot be reached.
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        note(`editor-note-${(created += 1)}`),
        appearance,
        EditorView.updateListener.of((update) => {
          const byUser = update.transactions.some(
            (transaction) => transaction.docChanged && !transaction.annotation(fromProgram),
          );
          if (byUser) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });

  const use = (extension: Extension): void =>
    view.dispatch({
      effects: mode.reconfigure(unlessSlow(view.state.doc, isChecked, extension)),
    });

  return {
    element: view.dom,
    setText: (text) => {
      const change = changeBetween(view.state.doc.toString(), text);
      if (change === undefined) return;
      view.dispatch({
        changes: change,
        annotations: [fromProgram.of(true), isolateHistory.of("full")],
      });
    },
    setLanguage: (next) => {
      if (next === language) return;
      language = next;
      if (next === "json") return use(json);
      use([]);
      void import("./zod-mode.ts").then(({ zodMode }) => {
        if (language === "zod") use(zodMode());
      });
    },
    setSchema: (next) => {
      schema = next;
    },
    setFault: (message) => view.dispatch({ effects: setPageFault.of(message) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

let created = 0;
