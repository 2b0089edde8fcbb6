import { type Completion, type CompletionSource, pickedCompletion } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { type Option, optionsAt } from "./options.ts";
import { placeAt } from "./place.ts";

/** Completes the names and values that a schema knows at the cursor. */
export function jsonCompletion(schemaOf: () => unknown): CompletionSource {
  return ({ state, pos, explicit }) => {
    const place = placeIn(state, pos);
    if (place === undefined) return null;
    const typed = place.from < pos;
    if (!typed && !explicit) return null;
    const options = optionsAt(schemaOf(), place);
    if (options.length === 0) return null;
    return {
      from: place.quoted ? place.from + 1 : place.from,
      // In the order of the schema.
      options: options.map((option, index) => ({
        ...completionOf(option, place.quoted),
        sortText: String(index).padStart(4, "0"),
      })),
      validFor: /^[\w$.-]*$/,
    };
  };
}

function placeIn(state: EditorState, position: number): ReturnType<typeof placeAt> {
  return placeAt(state.doc.toString(), syntaxTree(state), position);
}

function completionOf({ json, detail, description }: Option, quoted: boolean): Completion {
  return {
    label: quoted ? json.slice(1, -1) : json,
    apply: (view, completion, _from, to) => accept(view, completion, json, to),
    ...(detail === undefined ? {} : { detail }),
    ...(description === undefined ? {} : { info: description }),
  };
}

/** Replaces the whole word or string at the cursor; a name gets its colon. */
function accept(view: EditorView, completion: Completion, json: string, position: number): void {
  const place = placeIn(view.state, position);
  if (place === undefined) return;
  const behind = view.state.sliceDoc(place.to, place.to + 20);
  const insert = place.kind === "key" && !/^\s*:/.test(behind) ? `${json}: ` : json;
  const inside = /^(?:\{\}|\[\])$/.test(json) ? 1 : 0;
  view.dispatch({
    changes: { from: place.from, to: place.to, insert },
    selection: { anchor: place.from + insert.length - inside },
    annotations: pickedCompletion.of(completion),
    userEvent: "input.complete",
  });
}
