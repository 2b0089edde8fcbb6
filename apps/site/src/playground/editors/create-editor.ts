import {
  defaultKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
} from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { nextDiagnostic } from "@codemirror/lint";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  Text,
} from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { appearance } from "./appearance.ts";
import { isChecked, showsInvisible, unlessSlow } from "./bounds.ts";
import { changeBetween } from "./change-between.ts";
import { TOOL_SCHEMA } from "./completion/index.ts";
import { jsonMode } from "./json-mode.ts";
import type { Span } from "../json/index.ts";
import { keptSelection } from "./kept-selection.ts";
import { type Mark, marks, setMarks } from "./marks.ts";
import { note, setPageFault } from "./note.ts";
import { search } from "./search.ts";

/** An editor in the page. */
export interface Editor {
  readonly element: HTMLElement;
  /**
   * Replaces the text as the program: the cursor stays where it can, and `onChange` is not called. If a user undoes it, `onUndo` is
   * called with `before`, which is what else changed with the text.
   */
  setText(text: string, before?: unknown): void;
  setLanguage(language: "json" | "zod"): void;
  /** The schema whose keys and values are completed if `completes` is "arguments". */
  setSchema(schema: unknown): void;
  /** What the page found wrong with the text. A fault of the syntax is found and shown by the editor. */
  setFault(message: string | undefined): void;
  /** Underlines what the message is about. */
  setMarks(marks: readonly Mark[]): void;
  /** Selects a part of the text, and brings it into view. */
  select(span: Span): void;
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
  /** Called after a change by the program was undone. */
  readonly onUndo?: (before: unknown) => void;
}

const fromProgram = Annotation.define<boolean>();
/** A change by the program, with what was before it; and its undoing. */
const written = StateEffect.define<unknown>();
const undone = StateEffect.define<unknown>();

const rememberBefore = invertedEffects.of(({ effects }) =>
  effects.filter((effect) => effect.is(written)).map(({ value }) => undone.of(value)),
);

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
        rememberBefore,
        bracketMatching(),
        keptSelection,
        marks,
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
          for (const { effects } of update.transactions)
            for (const effect of effects) if (effect.is(undone)) options.onUndo?.(effect.value);
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
    setText: (text, before) => {
      const change = changeBetween(view.state.doc.toString(), text);
      if (change === undefined) return;
      view.dispatch({
        changes: change,
        effects: before === undefined ? [] : written.of(before),
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
    setMarks: (next) => view.dispatch({ effects: setMarks.of(next) }),
    select: ({ from, to }) => {
      const { length } = view.state.doc;
      if (to > length) return;
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

let created = 0;
