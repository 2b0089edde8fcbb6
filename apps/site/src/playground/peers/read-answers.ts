import * as v from "valibot";
import type { PeerAnswer } from "./peer-answer.ts";

/** The most characters of an answer that are drawn. */
export const MOST_CHARACTERS = 100_000;
const MOST_ANSWERS = 6;

const words = v.pipe(
  v.string(),
  v.transform((text) => text.slice(0, MOST_CHARACTERS)),
);

const ANSWERS = v.pipe(
  v.custom<readonly unknown[]>(Array.isArray),
  v.transform((answers) => answers.slice(0, MOST_ANSWERS)),
  v.array(
    v.strictObject({
      peer: v.picklist(["AI SDK", "LangChain", "MCP SDK"]),
      how: words,
      declared: v.picklist(["zod", "JSON Schema"]),
      outcome: v.picklist(["answered", "ran", "ended the run", "not asked"]),
      text: words,
      note: v.exactOptional(words),
    }),
  ),
);

/**
 * Reads what a worker sent as the answers of peers.
 *
 * @throws ValiError if they are none.
 */
export const readAnswers: (reply: unknown) => readonly PeerAnswer[] = v.parser(ANSWERS);
