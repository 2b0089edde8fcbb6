import { type PathSegment, remembered } from "../shared/index.ts";
import { countCharacters, cutText, escapeText } from "./cut-text.ts";
import { isHarmless, isHiddenPath } from "./sensitive-name.ts";
import { type ShownName, showName, showPath } from "./pointer.ts";
import { MASKING_WINDOW, REDACTED, maskText } from "./mask-text.ts";
import { type MaskedNode, type SecretPlace, isMasked, maskValue } from "./mask-value.ts";
import { createRelativiser } from "./relative-path.ts";
import { renderText, renderValue, samplePlainly } from "./render-value.ts";

/** How values are shown. */
export interface SanitizerOptions {
  /** How many graphemes of any value are shown. */
  readonly maxValuePreview: number;
  /** File paths below this directory are shown relative to it. */
  readonly workspaceRoot?: string | undefined;
}

/** Where a value stands, which can make it a secret. */
interface PreviewContext {
  readonly path: readonly PathSegment[];
  /** True where the schema says that it is a secret. */
  readonly sensitive?: boolean;
  /** What the schema says of this place. */
  readonly place?: SecretPlace | undefined;
  /** The arguments in which the path begins; with them `{name: "Authorization", value}` is recognised from inside. */
  readonly root?: unknown;
}

/** A value without its secrets, not yet cut: the text is what a redactor gets, and `finish` what comes after. */
type MaskedValue =
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
  /** True where anything was masked, so that the text is not what was sent. */
  readonly changed: boolean;
  readonly clipped?: boolean;
  /** How long the whole string is, in words. */
  readonly size?: string;
}

/** How free text is shown. */
interface TextOptions {
  /** In UTF-16 units; 500 unless told. */
  readonly maxLength?: number;
  /** True for text that comes from an instance, whose file paths are made relative. */
  readonly paths?: boolean;
  /** True where line breaks stay. */
  readonly lines?: boolean;
}

/** The only way in which foreign values, names and texts come into a message or a log. */
export interface Sanitizer {
  /** One value, masked, cut and quoted, ready for a message. Never throws. */
  preview(value: unknown, context: PreviewContext): string;
  /** The first half of `preview`: a redactor may work on `text` unless the value is hidden. */
  mask(value: unknown, context: PreviewContext): MaskedValue;
  /** The second half of `preview`. @remarks Pass a redactor's answer as the second argument. */
  finish(masked: MaskedValue, redacted?: string): string;
  /** Free text of a rule, a formatter or a host. */
  text(text: string, options?: TextOptions): string;
  /** Words that were made of a schema alone, so that they come again with every call. */
  schemaWords(words: string, maxLength: number): string;
  /** A JSON Pointer for the message, and one for logs. */
  pointer(path: readonly PathSegment[], isDeclared: (name: string) => boolean): ShownName;
  /** One object key, for the message and for logs. */
  key(name: string, declared: boolean): ShownName;
}

const DEFAULT_TEXT_LENGTH = 500;
const MAX_WORDS = 1_000;
const MAX_REMEMBERED = 250;

/** Creates the sanitizer: mask, then relativise, then cut, then quote, in this order for every value. */
export function createSanitizer(options: SanitizerOptions): Sanitizer {
  const relativise = createRelativiser(options.workspaceRoot);
  const rendering = { maxLength: options.maxValuePreview, relativise };

  function mask(value: unknown, context: PreviewContext): MaskedValue {
    if (!isHarmless(value) && isSecret(context))
      return { kind: "hidden", text: REDACTED, changed: true };
    const node = maskValue(value, context.place);
    if (node.kind === "text" && typeof value === "string") {
      return { ...node, size: countCharacters(value) };
    }
    return { kind: "json", text: samplePlainly(node), changed: isMasked(node), node };
  }

  function finish(masked: MaskedValue, redacted: string = masked.text): string {
    if (masked.kind === "hidden") return REDACTED;
    if (masked.kind === "text") {
      const { text, cut } = renderText(
        { text: redacted, clipped: masked.clipped ?? false },
        rendering,
      );
      return cut && masked.size !== undefined ? `${text} (${masked.size})` : text;
    }
    // Compared with the sample itself, so that a changed copy of a masked value is never shown as it was.
    if (redacted === samplePlainly(masked.node)) return renderValue(masked.node, rendering);
    return renderValue(readSample(redacted), rendering);
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
    preview: (value, context) => finish(mask(value, context)),
    mask,
    finish,
    text: (text, textOptions = {}) => sanitizeText(text, textOptions, relativise),
    schemaWords,
    pointer: showPath,
    key: showName,
  };
}

function isSecret(context: PreviewContext): boolean {
  try {
    const { sensitive, place, path, root } = context;
    return sensitive === true || place?.hidden === true || isHiddenPath(path, root);
  } catch {
    return true;
  }
}

/** A redactor's answer is JSON again in most cases, and a plain text where not. */
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
