import type { AccountingEntry } from "@toolcontract/session";
import type { Stream } from "./output.ts";
import { terminalStream, terminalText } from "./terminal-text.ts";

/** A line that says what runs now, for how long, and what it has cost; only on a terminal. */
export interface Status {
  /** Names what runs now. */
  readonly show: (what: string) => void;
  /** Adds what a request took. */
  readonly add: (entry: AccountingEntry) => void;
  /** Writes a whole line above it. */
  readonly line: (text: string) => void;
  /** Writes words as they come, above it. */
  readonly words: (text: string) => void;
  /** Takes the line away, once; what it said last stays if there was a request. */
  readonly end: () => void;
}

/** Shows the line on stderr; Ctrl-C keeps its meaning. */
export async function createStatus(stderr: Stream, clock = Date.now): Promise<Status> {
  let isInWords = false;
  /** Ends the line that words have begun. */
  const endWords = (): void => {
    if (isInWords) stderr.write("\n");
    isInWords = false;
  };
  const line = (text: string): void => {
    endWords();
    stderr.write(`${terminalText(text)}\n`);
  };
  const clean = terminalStream();
  const words = (piece: string): void => {
    const text = clean(piece);
    if (text === "") return;
    stderr.write(text);
    isInWords = !text.endsWith("\n");
  };
  // A pseudo-terminal without a size has no columns, in which ora would count lines forever.
  if (stderr.isTTY !== true || stderr.columns === 0) {
    return { show: () => undefined, add: () => undefined, line, words, end: endWords };
  }
  const { default: ora } = await import("ora");
  const startedAt = clock();
  let tokens = 0;
  let costUsd = 0;
  let isEnded = false;
  const taken = (): string =>
    [
      `${Math.round((clock() - startedAt) / 1000)} s`,
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
    ].join(" · ");
  const spinner = ora({ stream: stderr, discardStdin: false, suffixText: () => `· ${taken()}` });
  return {
    show(what) {
      spinner.text = terminalText(what);
      if (!spinner.isSpinning && !isInWords) spinner.start();
    },
    add(entry) {
      if (entry.type !== "llm") return;
      tokens += entry.tokens.totalTokens;
      costUsd += entry.costUsd ?? 0;
    },
    line(text) {
      const { isSpinning } = spinner;
      if (isSpinning) spinner.stop();
      line(text);
      if (isSpinning) spinner.start();
    },
    words(text) {
      if (spinner.isSpinning) spinner.stop();
      words(text);
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      spinner.stop();
      endWords();
      if (tokens > 0) stderr.write(`${taken()}\n`);
    },
  };
}
