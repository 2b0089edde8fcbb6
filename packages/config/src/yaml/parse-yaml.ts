import {
  type Alias,
  type ErrorCode,
  LineCounter,
  type Node,
  type Pair,
  type Scalar,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
} from "yaml";
import type { Position } from "../faults/index.ts";

const MAX_PROBLEMS = 20;

/** A parsed file. */
export interface ParsedYaml {
  readonly contents: unknown;
  readonly resolve: Survey["resolve"];
  readonly positionOf: (offset: number) => Position;
  /** What is wrong with the text, at most one problem a line. */
  readonly problems: readonly (Position & YamlProblem)[];
}

/** Parses YAML 1.2 and tells of every syntax error; it never throws. */
export function parseYaml(text: string): ParsedYaml {
  const lineCounter = new LineCounter();
  // Without pretty errors, because those quote the file.
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
    // What follows on the same line is mostly a consequence.
    if (!byLine.has(position.line))
      byLine.set(position.line, { ...position, ...yamlProblem(code) });
  }
  return { contents, resolve, positionOf, problems: [...byLine.values()].slice(0, MAX_PROBLEMS) };
}

/** What is known of a whole document after one walk; the parser's own ways take time by the square of its size. */
interface Survey {
  /** The node that an alias stands for: the latest before it with that anchor. */
  readonly resolve: (alias: Alias) => Node | undefined;
  /** Where keys stand that their mapping has already. */
  readonly repeatedKeys: readonly number[];
}

/** Walks a document once; it does not recurse, so no depth is too much. */
function surveyDocument(contents: unknown): Survey {
  const anchors = new Map<string, Node[]>();
  const repeatedKeys: number[] = [];
  const open: unknown[] = [contents];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.key, node.value);
    if (isCollection(node)) for (const item of node.items) open.push(item);
    if (isMap(node)) for (const { key } of repeatedIn(node.items)) repeatedKeys.push(startOf(key));
    const anchor = isNode(node) && "anchor" in node ? node.anchor : undefined;
    if (anchor === undefined) continue;
    const sameName = anchors.get(anchor) ?? [];
    anchors.set(anchor, sameName);
    sameName.push(node as Node);
  }
  for (const nodes of anchors.values()) nodes.sort((a, b) => startOf(a) - startOf(b));
  return {
    resolve: (alias) =>
      anchors.get(alias.source)?.findLast((node) => startOf(node) < startOf(alias)),
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

function startOf({ range }: Pick<Node, "range">): number {
  return range?.[0] ?? 0;
}

/** A syntax error in our own words; the parser's quote the file. */
interface YamlProblem {
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
function yamlProblem(code: ErrorCode): YamlProblem {
  return PROBLEMS[code] ?? { message: "Invalid YAML" };
}
