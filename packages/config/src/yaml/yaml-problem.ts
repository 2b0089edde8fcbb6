import type { ErrorCode } from "yaml";

/** A syntax error in our own words; the parser's quote the file. */
export interface YamlProblem {
  readonly message: string;
  readonly hint?: string;
}

const QUOTE = "put quotes around the text";

const PROBLEMS: Readonly<Partial<Record<ErrorCode, YamlProblem>>> = {
  BAD_ALIAS: {
    message: "Invalid alias or anchor",
    hint: `a text that begins with * or &: ${QUOTE}`,
  },
  BAD_DIRECTIVE: { message: "Invalid directive" },
  BAD_DQ_ESCAPE: {
    message: "Unknown escape in a double-quoted text",
    hint: String.raw`use single quotes, or write \\ for \ `.trimEnd(),
  },
  BAD_INDENT: { message: "Wrong indentation, or a bracket that is not closed" },
  BAD_SCALAR_START: { message: "A plain text can't begin with this character", hint: QUOTE },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "A mapping can't begin here",
    hint: "check the indentation, or put quotes around a text that holds a colon",
  },
  BLOCK_IN_FLOW: { message: "Lines of a block can't stand inside brackets" },
  DUPLICATE_KEY: { message: "This key stands twice in one mapping", hint: "keep one of them" },
  KEY_OVER_1024_CHARS: { message: "A key is too long" },
  MISSING_CHAR: { message: "A closing quote, a bracket, a comma or a space is missing" },
  MULTILINE_IMPLICIT_KEY: {
    message: "A key and its colon must stand on one line",
    hint: "check the indentation, or put a colon and a space after the key",
  },
  MULTIPLE_DOCS: {
    message: "The file holds more than one document",
    hint: "remove the line --- and what follows it",
  },
  RESOURCE_EXHAUSTION: { message: "The file is nested too deeply" },
  TAB_AS_INDENT: { message: "A tab can't indent", hint: "indent with spaces" },
  UNEXPECTED_TOKEN: {
    message: "Unexpected text",
    hint: 'check quotes, brackets and indentation; inside { } and [ ] write "${NAME}" in quotes',
  },
};

/** What a parser's error code means; the codes that are not in the table are rare. */
export function yamlProblem(code: ErrorCode): YamlProblem {
  return PROBLEMS[code] ?? { message: "Invalid YAML" };
}
