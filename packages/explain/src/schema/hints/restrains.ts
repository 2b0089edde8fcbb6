import { wordsOf } from "./near-name.ts";

const MAX_TEXT = 100;

/** Words that rehearse, narrow or deny what is named beside them: `dry_run` is not `run`, `exclude_files` not `files`. */
const RESTRAINING = new Set(
  (
    "dry preview previewed simulate simulated simulation rehearse rehearsal test trial mock fake draft plan check validate " +
    "noop soft safe partial partially only just no not non never none without except exclude excluded excluding skip " +
    "skipped ignore ignored omit disable disabled stop cancel undo dryrun"
  ).split(" "),
);

/** Whether a name or value has a word by which the model holds something back. */
export function restrains(text: string): boolean {
  return wordsOf(text.slice(0, MAX_TEXT)).some((word) => RESTRAINING.has(word));
}
