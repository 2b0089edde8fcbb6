import { readFile } from "node:fs/promises";
import type { KitEnvironment } from "../play/index.ts";
import { findFaults } from "./find-faults.ts";
import type { Flaw } from "./loop.ts";
import { readArguments } from "./read-arguments.ts";

const TRIES = 3;
const WORDS = {
  cut: "The answer is cut off.",
  syntax: "The answer is not JSON.",
  inexact: "A number has more digits than can be kept.",
} as const;

/** What the model reads about an answer that does not fit; undefined if the run is over. */
export type JudgeAnswer = (text: string, isCut: boolean) => Promise<string | undefined>;

/** The final answers of one run: one that fits is reported, others are asked for again, three times at most. */
export async function finalAnswers(
  { KIT_ANSWER, KIT_ANSWERED_URL }: KitEnvironment,
  flaw: Flaw | undefined,
): Promise<JudgeAnswer> {
  if (KIT_ANSWER === "") return async () => undefined;
  const schema = JSON.parse(await readFile(KIT_ANSWER, "utf8")) as Record<string, unknown>;
  let count = 0;
  return async (text, isCut) => {
    const read = readArguments(text.replaceAll(/^```json\n|\n```$/g, ""));
    const said =
      read.kind === "read"
        ? findFaults(schema, read.value, "answer").map(
            ({ field, allowed }) => `${field}: ${allowed}`,
          )
        : [WORDS[isCut ? "cut" : read.kind]];
    if (said.length === 0 || flaw === "takes-any-answer") {
      const body = read.kind === "read" ? read.text : JSON.stringify(text);
      await fetch(KIT_ANSWERED_URL, { method: "POST", body });
      return undefined;
    }
    count += 1;
    if (count === TRIES && flaw !== "asks-for-ever") throw new Error("No answer fits.");
    return flaw === "says-nothing-of-answers" ? "Try again." : said.join("\n");
  };
}
