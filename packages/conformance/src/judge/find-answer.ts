import type { PlayedCall, SeenEntry } from "../shared/index.ts";

/** What the model reads about a call. */
export interface SeenAnswer {
  readonly text: string;
  readonly isError?: boolean;
  /** True if it is a message of its own, because the call was left out of the conversation. */
  readonly isMessage?: true;
  /** How many answers the call has. */
  readonly count: number;
}

type SeenHistory = readonly SeenEntry[];
type AnswerEntry = Extract<SeenEntry, { readonly kind: "answer" }>;

/** The answer to each of the calls of one message, in the request that follows it. */
export function findAnswers(
  history: SeenHistory,
  calls: readonly PlayedCall[],
): readonly (SeenAnswer | undefined)[] {
  const last = history.findLastIndex(({ kind }) => kind === "calls");
  const made = history[last];
  const kept = made?.kind === "calls" && made.calls.length === calls.length ? made.calls : [];
  const after = answersIn(history.slice(last + 1));
  const all = answersIn(history);
  const taken = new Set<AnswerEntry>();

  function answersTo({ id, call }: PlayedCall, index: number): readonly AnswerEntry[] {
    // A program may give the calls ids of its own, above all those that have none.
    const ids = [id, kept[index]?.id].filter((one) => one !== undefined && one !== "");
    for (const pool of [after, all]) {
      for (const one of ids) {
        const found = pool.filter((answer) => answer.id === one);
        if (found.length > 0) return found;
      }
    }
    const next = after.find((answer) => !taken.has(answer) && nameFits(answer, call.tool));
    return next === undefined ? [] : [next];
  }

  return calls.map((played, index) => {
    const found = answersTo(played, index);
    for (const answer of found) taken.add(answer);
    const answer = found.at(-1);
    if (answer === undefined) return messageInstead(history, played);
    const { text, isError } = answer;
    return { text, count: found.length, ...(isError !== undefined && { isError }) };
  });
}

function answersIn(history: SeenHistory): readonly AnswerEntry[] {
  return history.filter((entry) => entry.kind === "answer");
}

/** Only answers without an id are found by their order. */
function nameFits({ id, name }: AnswerEntry, tool: string): boolean {
  return id === "" && (name === undefined || name === tool);
}

/** The message that a program wrote in place of a call that it left out. */
function messageInstead(history: SeenHistory, { id }: PlayedCall): SeenAnswer | undefined {
  const isKept = history.some(
    (entry) => entry.kind === "calls" && entry.calls.some((call) => call.id === id),
  );
  const last = history.at(-1);
  if (isKept || history.length < 2 || last?.kind !== "text" || last.role === "assistant") {
    return undefined;
  }
  return { text: last.text, count: 1, isMessage: true };
}
