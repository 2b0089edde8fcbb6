import { isRecord } from "../../wire/index.ts";

/** One fault as a validator in the server reports it; where it is, from the outermost name. */
export interface ReportedIssue {
  readonly path: readonly string[];
}

/** Longer lists of issues are not read. */
const MAX_TEXT = 100_000;
const MAX_LISTS = 3;

/** The issues that a text holds as JSON, as zod's error messages do: a list of objects with code, path and message. */
export function issuesInText(text: string): readonly ReportedIssue[] {
  const read = text.slice(0, MAX_TEXT);
  const starts = [...read.matchAll(/\[\s*\{/g)].slice(0, MAX_LISTS);
  for (const { index } of starts) {
    const issues = issuesOf(parsed(listAt(read, index)));
    if (issues.length > 0) return issues;
  }
  return [];
}

/** The issues of a value; none if it is not a list of them. */
export function issuesOf(value: unknown): readonly ReportedIssue[] {
  const issues = Array.isArray(value) ? value.map(issueOf) : [];
  const known = issues.filter((issue) => issue !== undefined);
  return known.length === issues.length ? known.flat() : [];
}

/** zod reports undeclared names at the object that has them. */
function issueOf(value: unknown): readonly ReportedIssue[] | undefined {
  if (!isRecord(value)) return undefined;
  const { code, path, message, keys } = value;
  if (typeof code !== "string" || typeof message !== "string" || !Array.isArray(path)) {
    return undefined;
  }
  const place = path.map(String);
  if (code !== "unrecognized_keys" || !Array.isArray(keys)) return [{ path: place }];
  return keys.map((key) => ({ path: [...place, String(key)] }));
}

/** The JSON list that begins at an index, up to its closing bracket. */
function listAt(text: string, start: number): string {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === "\\") index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return text.slice(start, index + 1);
    }
  }
  return "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
