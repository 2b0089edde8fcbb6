import { type PathSegment, remembered } from "../shared/index.ts";
import { type CharacterCount, countCharacters, cutText, escapeText } from "./cut-text.ts";
import { MASKING_WINDOW, REDACTED, maskText } from "./mask-text.ts";
import { type MaskedNode, type SecretPlace, isMasked, maskValue } from "./mask-value.ts";
import { type ShownName, showName, showPath } from "./pointer.ts";
import { createRelativiser } from "./relative-path.ts";
import { quoteCut, renderValue, samplePlainly } from "./render-value.ts";
import { isHarmless, isHiddenPath } from "./sensitive-name.ts";

const DEFAULT_TEXT_LENGTH = 500;
const MAX_WORDS = 1_000;
const MAX_REMEMBERED = 250;

/** The only way for untrusted values, names and strings into a message or log. */
export interface Sanitizer {
  /** Masks, cuts and quotes a value for a message. Never throws. */
  preview(value: unknown, context: PreviewContext): string;
  /** The first half of `preview`: a redactor may change `text` unless the value is hidden. */
  mask(value: unknown, context: PreviewContext): MaskedValue;
  /** The second half of `preview`, with the redactor's result if there is one. */
  finish(masked: MaskedValue, redacted?: string): ShownValue;
  /** Sanitizes free text from a rule, a formatter or a host. */
  text(text: string, options?: TextOptions): string;
  /** Sanitizes text derived only from the schema, so it can be cached across calls. */
  schemaWords(words: string, maxLength: number): string;
  /** Writes a JSON Pointer for messages and for logs. */
  pointer(path: readonly PathSegment[], isDeclared: (name: string) => boolean): ShownName;
  /** Writes an object key for messages and for logs. */
  key(name: string, declared: boolean): ShownName;
}

/** How values are shown. */
export interface SanitizerOptions {
  /** The maximum number of graphemes shown of a value. */
  readonly maxValuePreview: number;
  /** File paths below this directory are shown relative to it. */
  readonly workspaceRoot?: string | undefined;
}

/** Where a value was sent, which can make it a secret. */
interface PreviewContext {
  readonly path: readonly PathSegment[];
  /** True if the schema marks the value as a secret. */
  readonly sensitive?: boolean;
  /** What the schema says about this place. */
  readonly place?: SecretPlace | undefined;
  /** The arguments that the path starts from; needed to recognise `{name: "Authorization", value}` from inside. */
  readonly root?: unknown;
}

/** A value without its secrets, not yet cut: a redactor gets `text`, and `finish` does the rest. */
export type MaskedValue =
  | { readonly kind: "hidden"; readonly text: string; readonly changed: true }
  | (MaskedString & { readonly kind: "text" })
  | {
      readonly kind: "json";
      readonly text: string;
      readonly changed: boolean;
      readonly node: MaskedNode;
    };

interface MaskedString {
  readonly text: string;
  /** True if anything was masked, so that the text differs from what was sent. */
  readonly changed: boolean;
  readonly clipped?: boolean;
  /** How many characters the whole string has. */
  readonly size?: CharacterCount;
}

/** A value as a message shows it, with the facts that a message may repeat. */
export interface ShownValue {
  readonly text: string;
  /** The JSON type; undefined if the value is hidden. */
  readonly type?: string | undefined;
  /** The number of characters or items; undefined if unknown. */
  readonly length?: number | undefined;
  /** True if the text shows only the beginning of a string. */
  readonly cut?: boolean;
}

/** How free text is shown. */
interface TextOptions {
  /**
   * In UTF-16 units.
   *
   * @default 500
   */
  readonly maxLength?: number;
  /** Shortens file paths, for text that may hold values. */
  readonly paths?: boolean;
  /** Keeps line breaks. */
  readonly lines?: boolean;
}

/** Creates a sanitizer. It masks a value, then shortens file paths, then cuts, then quotes. */
export function createSanitizer(options: SanitizerOptions): Sanitizer {
  const relativise = createRelativiser(options.workspaceRoot);
  const rendering = { maxLength: options.maxValuePreview, relativise };

  function mask(value: unknown, context: PreviewContext): MaskedValue {
    if (!isHarmless(value) && isSecretPreview(context))
      return { kind: "hidden", text: REDACTED, changed: true };
    const node = maskValue(value, context.place);
    if (node.kind === "text" && typeof value === "string") {
      return { ...node, size: countCharacters(value) };
    }
    return { kind: "json", text: samplePlainly(node), changed: isMasked(node), node };
  }

  function finish(masked: MaskedValue, redacted: string = masked.text): ShownValue {
    if (masked.kind === "hidden") return { text: REDACTED };
    if (masked.kind === "text") {
      const relative = relativise(redacted);
      const { clipped = false, size } = masked;
      const { text, cut } = quoteCut({ text: relative, clipped }, options.maxValuePreview);
      return {
        text: cut && size ? `${text} (${size.words})` : text,
        type: "string",
        cut,
        length: cut ? size?.count : countCharacters(relative).count,
      };
    }
    // An unchanged sample is rendered from its node; a redacted one only from what the redactor returned.
    const isSample = redacted === samplePlainly(masked.node);
    const node = isSample ? masked.node : readSample(redacted);
    return {
      text: renderValue(node, rendering),
      type: typeOfNode(node),
      length: node.kind === "array" ? node.count : undefined,
    };
  }

  const cleanWords = remembered(
    (words) => sanitizeText(words, { maxLength: MAX_WORDS }, relativise),
    MAX_REMEMBERED,
  );

  function schemaWords(words: string, maxLength: number): string {
    const clean = cleanWords(words);
    return clean.length <= maxLength ? clean : sanitizeText(words, { maxLength }, relativise);
  }

  return {
    preview: (value, context) => finish(mask(value, context)).text,
    mask,
    finish,
    text: (text, textOptions = {}) => sanitizeText(text, textOptions, relativise),
    schemaWords,
    pointer: showPath,
    key: showName,
  };
}

function isSecretPreview(context: PreviewContext): boolean {
  try {
    const { sensitive, place, path, root } = context;
    return sensitive === true || place?.hidden === true || isHiddenPath(path, root);
  } catch {
    return true;
  }
}

function typeOfNode(node: MaskedNode): string | undefined {
  if (node.kind === "hidden") return undefined;
  if (node.kind !== "literal") return node.kind === "text" ? "string" : node.kind;
  if (node.text === "null") return "null";
  if (node.text === "true" || node.text === "false") return "boolean";
  // `1e21` is not written as an integer, so it is a number.
  if (/^-?\d+$/.test(node.text)) return "integer";
  return /^-?\d/.test(node.text) ? "number" : undefined;
}

/** Reads a redactor's result, which is usually JSON again, and otherwise plain text. */
function readSample(text: string): MaskedNode {
  try {
    return maskValue(JSON.parse(text));
  } catch {
    return maskValue(text);
  }
}

function sanitizeText(
  text: string,
  options: TextOptions,
  relativise: (text: string) => string,
): string {
  const { maxLength = DEFAULT_TEXT_LENGTH, paths = false, lines = false } = options;
  const masked = maskText(text, Math.max(maxLength, MASKING_WINDOW));
  return cutText(paths ? relativise(masked.text) : masked.text, {
    graphemes: maxLength,
    units: maxLength,
    clipped: masked.clipped,
    escape: lines ? escapeLines : escapeText,
  }).text;
}

function escapeLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(escapeText)
    .join("\n");
}
