/** What calls came to, bounded in number for each conversation and in size for all of them. */
export interface KeptAnswers<T> {
  get(element: string): T | undefined;
  /** Keeps an answer of about so many characters. */
  set(element: string, answer: T, characters: number): void;
  take(element: string): void;
}

const MAX_ELEMENTS = 1_000;
/** 64 MB of characters that take two bytes. */
const MAX_CHARACTERS = 32 * 1_024 * 1_024;
/** What keeping an answer takes besides its characters. */
const OVERHEAD = 500;

interface Kept<T> {
  readonly answer: T;
  readonly characters: number;
}

/**
 * Creates an empty store.
 *
 * @param conversationOf - The conversation of an element. The oldest answers are dropped first: of a conversation that has too many, else of
 * the one that was used least lately.
 */
export function createKeptAnswers<T>(conversationOf: (element: string) => string): KeptAnswers<T> {
  const conversations = new Map<string, Map<string, Kept<T>>>();
  let characters = 0;

  function drop(conversation: string, element: string): void {
    const answers = conversations.get(conversation);
    const kept = answers?.get(element);
    if (answers === undefined || kept === undefined) return;
    answers.delete(element);
    characters -= kept.characters;
    if (answers.size === 0) conversations.delete(conversation);
  }

  function dropOldest(conversation: string): void {
    const [oldest] = conversations.get(conversation)?.keys() ?? [];
    if (oldest !== undefined) drop(conversation, oldest);
  }

  const take = (element: string): void => drop(conversationOf(element), element);

  return {
    get: (element) => conversations.get(conversationOf(element))?.get(element)?.answer,
    set(element, answer, length) {
      take(element);
      const conversation = conversationOf(element);
      const answers = conversations.get(conversation) ?? new Map<string, Kept<T>>();
      // The conversation that was used last is the last one.
      conversations.delete(conversation);
      conversations.set(conversation, answers);
      answers.set(element, { answer, characters: length + OVERHEAD });
      characters += length + OVERHEAD;
      if (answers.size > MAX_ELEMENTS) dropOldest(conversation);
      for (;;) {
        const [stalest] = conversations.keys();
        if (stalest === undefined || characters <= MAX_CHARACTERS) return;
        dropOldest(stalest);
      }
    },
    take,
  };
}
