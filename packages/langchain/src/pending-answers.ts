import type { Blocked } from "@toolcontract/core";

const MOST = 1_000;

/** Answers that wait for a person; a resumed graph runs the call again from its start and must not be told twice. */
export interface PendingAnswers {
  get(key: string): Blocked | undefined;
  keep(key: string, answer: Blocked): void;
  drop(key: string): void;
}

/** Makes the register; what is never resumed falls out of it in time. */
export function createPendingAnswers(): PendingAnswers {
  const answers = new Map<string, Blocked>();
  return {
    get: (key) => answers.get(key),
    keep(key, answer) {
      answers.set(key, answer);
      const [oldest] = answers.keys();
      if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
    },
    drop(key) {
      answers.delete(key);
    },
  };
}
