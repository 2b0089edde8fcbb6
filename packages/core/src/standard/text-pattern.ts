/** The pattern of a text that begins with, ends with or holds another. */
export function textPattern(part: "start" | "end" | "anywhere", text: string): string {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (part === "start") return `^${literal}`;
  return part === "end" ? `${literal}$` : literal;
}

/** The source of a regular expression, given as one or written as `/source/flags`. */
export function patternSource(pattern: unknown): string | undefined {
  // Its source writes every slash with a backslash, which no pattern needs.
  if (pattern instanceof RegExp) return pattern.source.replaceAll(String.raw`\/`, "/");
  if (typeof pattern !== "string") return undefined;
  return /^\/(.*)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern;
}
