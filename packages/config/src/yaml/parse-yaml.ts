import { LineCounter, parseDocument } from "yaml";
import type { Position } from "../config-fault.ts";
import { type Survey, surveyDocument } from "./survey.ts";
import { yamlProblem, type YamlProblem } from "./yaml-problem.ts";

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
