import {
  type Alias,
  type ErrorCode,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
} from "yaml";
import type { Position } from "./config-fault.ts";

const MAX_PROBLEMS = 20;

/** A parsed file. */
export interface ParsedYaml {
  readonly contents: unknown;
  readonly resolve: Survey["resolve"];
  readonly positionOf: (offset: number) => Position;
  /** Syntax errors, at most one per line. */
  readonly problems: readonly (Position & YamlProblem)[];
}

/** Parses YAML 1.2, of which JSON is a part, and reports every syntax error; never throws. */
export function parseYaml(text: string, isJson = false): ParsedYaml {
  const lineCounter = new LineCounter();
  // No pretty errors: they quote the file.
  const options = { schema: "core", prettyErrors: false, uniqueKeys: false, lineCounter } as const;
  const { contents, errors } = parseDocument(text, options);
  const { resolve, repeatedKeys } = surveyDocument(contents);
  const positionOf = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const found = [
    ...errors.map(({ code, pos }) => ({ offset: pos[0], code })),
    ...repeatedKeys.map((offset) => ({ offset, code: "DUPLICATE_KEY" as const })),
  ].toSorted((a, b) => a.offset - b.offset);
  const byLine = new Map<number, Position & YamlProblem>();
  for (const { code, offset } of found) {
    const position = positionOf(offset);
    // Further errors on the same line are mostly consequences.
    if (!byLine.has(position.line))
      byLine.set(position.line, {
        ...position,
        ...(isJson ? jsonProblem(code) : yamlProblem(code)),
      });
  }
  return { contents, resolve, positionOf, problems: [...byLine.values()].slice(0, MAX_PROBLEMS) };
}

/** What one walk over the document collects; the parser's own lookups take quadratic time. */
interface Survey {
  /** The node that an alias refers to: the last one before it with that anchor. */
  readonly resolve: (alias: Alias) => Node | undefined;
  /** The offsets of keys that repeat an earlier key of the same mapping. */
  readonly repeatedKeys: readonly number[];
}

/** Walks a document once, without recursion: the nesting may be deep. */
function surveyDocument(contents: unknown): Survey {
  const anchors = new Map<string, Node[]>();
  const repeatedKeys: number[] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.key, node.value);
    if (isCollection(node)) for (const item of node.items) open.push(item);
    if (isMap(node))
      for (const { key } of repeatedIn(node.items)) repeatedKeys.push(offsetOfNode(key));
    const anchor = isNode(node) && "anchor" in node ? node.anchor : undefined;
    if (anchor === undefined) continue;
    const sameName = anchors.get(anchor) ?? [];
    anchors.set(anchor, sameName);
    sameName.push(node as Node);
  }
  for (const nodes of anchors.values()) nodes.sort((a, b) => offsetOfNode(a) - offsetOfNode(b));
  return {
    resolve: (alias) =>
      anchors.get(alias.source)?.findLast((node) => offsetOfNode(node) < offsetOfNode(alias)),
    repeatedKeys,
  };
}

function repeatedIn(pairs: readonly Pair[]): readonly { readonly key: Scalar }[] {
  const seen = new Set<unknown>();
  return pairs.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    if (seen.has(key.value)) return [{ key }];
    seen.add(key.value);
    return [];
  });
}

function offsetOfNode({ range }: Pick<Node, "range">): number {
  return range?.[0] ?? 0;
}

/** A syntax error in our own words: the parser's messages quote the file. */
interface YamlProblem {
  readonly message: string;
  readonly hint?: string;
}

const QUOTE = "put quotes around the string";

const PROBLEMS: Readonly<Partial<Record<ErrorCode, YamlProblem>>> = {
  BAD_ALIAS: {
    message: "Invalid alias or anchor",
    hint: `a string that begins with * or &: ${QUOTE}`,
  },
  BAD_DIRECTIVE: { message: "Invalid directive" },
  BAD_DQ_ESCAPE: {
    message: "Unknown escape in a double-quoted string",
    hint: String.raw`use single quotes, or write \\ for \ `.trimEnd(),
  },
  BAD_INDENT: { message: "Wrong indentation, or a bracket that is not closed" },
  BAD_SCALAR_START: { message: "An unquoted string can't begin with this character", hint: QUOTE },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "A mapping can't begin here",
    hint: "check the indentation, or put quotes around a string that contains a colon",
  },
  BLOCK_IN_FLOW: { message: "Block lines can't be inside brackets" },
  DUPLICATE_KEY: { message: "This key appears twice in one mapping", hint: "keep one of them" },
  KEY_OVER_1024_CHARS: { message: "A key is too long" },
  MISSING_CHAR: { message: "A closing quote, a bracket, a comma or a space is missing" },
  MULTILINE_IMPLICIT_KEY: {
    message: "A key and its colon must be on one line",
    hint: "check the indentation, or put a colon and a space after the key",
  },
  MULTIPLE_DOCS: {
    message: "The file contains more than one document",
    hint: "remove the line --- and what follows it",
  },
  RESOURCE_EXHAUSTION: { message: "The file is nested too deeply" },
  TAB_AS_INDENT: { message: "A tab can't indent", hint: "indent with spaces" },
  UNEXPECTED_TOKEN: {
    message: "Unexpected text",
    hint: 'check quotes, brackets and indentation; inside { } and [ ] write "${NAME}" in quotes',
  },
};

/** The message for a parser's error code; codes that are not in the table are rare. */
function yamlProblem(code: ErrorCode): YamlProblem {
  return PROBLEMS[code] ?? { message: "Invalid YAML" };
}

/** The same in JSON, where indentation means nothing and the fixes differ. */
function jsonProblem(code: ErrorCode): YamlProblem {
  switch (code) {
    case "DUPLICATE_KEY":
      return yamlProblem(code);
    case "BAD_DQ_ESCAPE":
      return { message: "Unknown escape in a string", hint: String.raw`write \\ for \ `.trimEnd() };
    default:
      return { message: "Invalid JSON: check quotes, commas and brackets" };
  }
}
