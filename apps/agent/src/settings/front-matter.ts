/** A prompt file in its two parts. */
export interface PromptParts {
  /** The YAML between the first line, `---`, and the next line with `---`; undefined if there is none. */
  readonly frontMatter?: string;
  /** The prompt itself. */
  readonly body: string;
}

const OPENING = /^\uFEFF?---[ \t]*(?:\r\n|\n|$)/;
const CLOSING = /^---[ \t]*(?:\r\n|\n|$)/m;

/** Splits a prompt file into its front matter and the prompt; front matter that is never closed is part of the prompt. */
export function splitFrontMatter(text: string): PromptParts {
  const whole = { body: text.replace(/^\uFEFF/, "") };
  const [opening] = OPENING.exec(text) ?? [];
  if (opening === undefined) return whole;
  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (!closing) return whole;
  return {
    frontMatter: rest.slice(0, closing.index),
    body: rest.slice(closing.index + closing[0].length),
  };
}

/** Whether front matter begins and never ends. */
export function isOpenFrontMatter(text: string): boolean {
  return OPENING.test(text) && splitFrontMatter(text).frontMatter === undefined;
}
