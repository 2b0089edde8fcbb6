import { TAG_START } from "./tags.ts";

// What follows the nonce up to ">": a slot, a tool's name, a format. Longer ones are text.
const MAX_TAG = 512;

/** A tag with the run's nonce and everything up to its closing tag. */
export interface Block {
  /** The slot after the nonce, as written; empty if the answer ended in the opening tag. */
  readonly slot: string;
  /** The tools by name, in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly payload: string;
  readonly isClosed: boolean;
  /** Whether it is a closing tag alone. */
  readonly isStray: boolean;
}

/** Splits an answer, however it is cut into chunks, into text and blocks. */
export interface BlockSplitter {
  push(chunk: string): readonly (string | Block)[];
  /** What was held back, and the block that was never closed. */
  end(): readonly (string | Block)[];
  /** Whether anything began like a tag, also one with another nonce. */
  readonly hasTags: boolean;
  /** Whether the answer, if it ended here, would end inside a tag or block. */
  readonly isInside: boolean;
}

type BlockStep = (chunk: string, from: number) => number;

/**
 * Reads each character once: inside of text it looks for an opening tag of this nonce, inside of a block for nothing but
 * that block's closing tag, so that tags in a payload are payload. A "<" only ever begins what is looked for, so after a
 * mismatch there is nothing to go back for.
 */
export function createBlockSplitter(nonce: string): BlockSplitter {
  const opening = `${TAG_START}${nonce}-`;
  // A closing tag that closes nothing is not shown either.
  const stray = `</${opening.slice(1)}`;
  let out: (string | Block)[] = [];
  let text = "";
  let held = "";
  let hasTags = false;
  let prefix = opening;
  let open: { slot: string; attributes: ReadonlyMap<string, string>; closing: string } | undefined;
  let payload: string[] = [];
  let step: BlockStep = readText;

  function flushText(): void {
    if (text !== "") out.push(text);
    text = "";
  }

  function readText(chunk: string, from: number): number {
    if (held === "") {
      const start = chunk.indexOf("<", from);
      text += chunk.slice(from, start === -1 ? undefined : start);
      if (start === -1) return chunk.length;
      held = "<";
      return start + 1;
    }
    const isClosing = (held.charAt(1) || chunk.charAt(from)) === "/";
    const wanted = isClosing ? stray : opening;
    const end = hold(wanted, chunk, from);
    hasTags ||= held.length >= TAG_START.length + (isClosing ? 1 : 0);
    if (held.length === wanted.length) {
      prefix = wanted;
      step = readTag;
    } else if (end < chunk.length) releaseText();
    return end;
  }

  /** Holds back as much of a chunk as goes on with what is looked for. */
  function hold(wanted: string, chunk: string, from: number): number {
    let end = from;
    const offset = held.length - from;
    while (end < chunk.length && chunk.charAt(end).toLowerCase() === wanted.charAt(end + offset)) {
      end += 1;
    }
    held += chunk.slice(from, end);
    return end;
  }

  function releaseText(): void {
    text += held;
    held = "";
    step = readText;
  }

  function readTag(chunk: string, from: number): number {
    const room = prefix.length + MAX_TAG - held.length;
    const part = chunk.slice(from, from + room);
    const end = part.search(/[<>]/);
    held += end === -1 ? part : part.slice(0, end);
    if (end === -1 && room > 0) return from + part.length;
    if (part.charAt(end) !== ">") {
      releaseText();
      return from + Math.max(end, 0);
    }
    const tag = readAttributes(held.slice(prefix.length));
    flushText();
    held = "";
    if (tag.isEmpty || prefix === stray) {
      const { slot, attributes } = tag;
      out.push({ slot, attributes, payload: "", isClosed: true, isStray: prefix === stray });
      step = readText;
    } else {
      open = { ...tag, closing: `</${opening.slice(1)}${tag.slot.toLowerCase()}` };
      payload = [];
      step = readPayload;
    }
    return from + end + 1;
  }

  function readPayload(chunk: string, from: number): number {
    if (held === "") {
      const slash = chunk.indexOf("</", from);
      const start = slash === -1 && chunk.endsWith("<") ? chunk.length - 1 : slash;
      payload.push(chunk.slice(from, start === -1 ? undefined : start));
      if (start === -1) return chunk.length;
      held = "<";
      return start + 1;
    }
    const closing = open?.closing ?? "";
    const end = hold(closing, chunk, from);
    if (end === chunk.length) return end;
    const character = chunk.charAt(end);
    if (held.length >= closing.length && character === ">") {
      endBlock(true);
      return end + 1;
    }
    if (held.length >= closing.length && /\s/.test(character)) {
      held += character;
      return end + 1;
    }
    payload.push(held);
    held = "";
    return end;
  }

  function endBlock(isClosed: boolean): void {
    // The end of an answer belongs to it, unless it is the beginning of the closing tag.
    if (!isClosed && held.length <= TAG_START.length) payload.push(held);
    const { slot = "", attributes = new Map() } = open ?? {};
    out.push({ slot, attributes, payload: payload.join(""), isClosed, isStray: false });
    open = undefined;
    payload = [];
    held = "";
    step = readText;
  }

  function take(): readonly (string | Block)[] {
    flushText();
    const pieces = out;
    out = [];
    return pieces;
  }

  return {
    push(chunk) {
      for (let at = 0; at < chunk.length;) at = step(chunk, at);
      return take();
    },
    end() {
      if (step === readText) {
        text += held;
        held = "";
      } else endBlock(false);
      return take();
    },
    get hasTags() {
      return hasTags;
    },
    get isInside() {
      return step !== readText || held.length >= TAG_START.length;
    },
  };
}

/** Reads `0001 tool="add"`: attributes in any order and case, with quotes of either kind or none. */
function readAttributes(tag: string): {
  readonly slot: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isEmpty: boolean;
} {
  const [slot = ""] = /^[^\s/]*/.exec(tag) ?? [];
  const isEmpty = tag.trimEnd().endsWith("/");
  const attributes = new Map<string, string>();
  const pairs = /(?<=[\s"'])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;
  for (const [, name = "", double, single, bare] of tag.slice(slot.length).matchAll(pairs)) {
    const key = name.toLowerCase();
    const value = double ?? single ?? bare?.replace(/\/$/, "") ?? "";
    if (!attributes.has(key)) attributes.set(key, value.trim());
  }
  return { slot, attributes, isEmpty };
}
