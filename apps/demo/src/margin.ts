import type { Page } from "./page.ts";
import { wrap } from "./text-layout.ts";

const INDENT = 2;
const LABEL_WIDTH = 10;
const LABELS = {
  model: { colour: "cyan", meaning: "what the model sends" },
  without: {
    colour: "yellow",
    meaning: "what it reads without the contract, from the same real server or SDK",
  },
  lenient: { colour: "yellow", meaning: "the same if the loop repairs malformed JSON first" },
  contract: {
    colour: "magenta",
    meaning: "what it reads with the contract (without blank lines)",
  },
  session: {
    colour: "magenta",
    meaning: "what it reads when a limit of the session was reached, and what the session does",
  },
  state: {
    colour: "dim",
    meaning: "the state that a tool works on: before the call, while the tool runs, and after",
  },
  ran: { colour: "green", meaning: "the tool's real result" },
  person: { colour: "red", meaning: "what a person reads when the attempts are used up" },
} as const;

/** The label of a row: who says it. */
export type Label = keyof typeof LABELS;

/** The width that the margin leaves for text. */
export function textWidth(page: Page): number {
  return page.width - INDENT - LABEL_WIDTH;
}

/** Wraps text beside its label, with the note at its end. */
export function labelled(label: Label, text: string, page: Page, note = ""): string {
  const width = textWidth(page);
  const lines = wrap(text, width).filter((line) => line.trim() !== "");
  const last = lines.pop() ?? "";
  if (note === "") lines.push(last);
  else if (last.length + 2 + note.length <= width)
    lines.push(`${last}  ${page.paint("dim", note)}`);
  else lines.push(last, page.paint("dim", note));
  const head = page.paint(LABELS[label].colour, label.padEnd(LABEL_WIDTH));
  return lines
    .map(
      (line, index) => " ".repeat(INDENT) + (index === 0 ? head : " ".repeat(LABEL_WIDTH)) + line,
    )
    .join("\n");
}

/** Explains the labels. */
export function renderLegend(page: Page): string {
  const labels = Object.keys(LABELS) as Label[];
  return labels.map((label) => labelled(label, LABELS[label].meaning, page)).join("\n");
}
