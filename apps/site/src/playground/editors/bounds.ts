import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";

/** A longer document is only shown and edited: parsing it on each keystroke would freeze the page. */
export const LONGEST_CHECKED = 1_000_000;

/** Each invisible character that is shown is a separate element, and many of them freeze the page. */
const MOST_INVISIBLE = 500;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Whether a document is short enough for colors, completion and checks. */
export function isChecked(doc: Text): boolean {
  return doc.length <= LONGEST_CHECKED;
}

/** An extension that is off while the document would make it slow. */
export function unlessSlow(
  doc: Text,
  isFast: (doc: Text) => boolean,
  extension: Extension,
): Extension {
  const slot = new Compartment();
  return [
    slot.of(isFast(doc) ? extension : []),
    EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
      if (!docChanged) return null;
      const next = isFast(newDoc) ? extension : [];
      const isOn = slot.get(startState) === extension;
      return isOn === (next === extension) ? null : { effects: slot.reconfigure(next) };
    }),
  ];
}

/** Whether a document has few enough invisible characters to show them. */
export function showsInvisible(doc: Text): boolean {
  if (!isChecked(doc)) return false;
  let left = MOST_INVISIBLE;
  for (const line of doc.iterLines()) {
    for (const [character] of line.matchAll(INVISIBLE)) {
      if (character !== "\t") left--;
      if (left < 0) return false;
    }
  }
  return true;
}
