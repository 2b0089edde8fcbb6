/** The pattern of a text that begins with, ends with or holds another. */
export function textPattern(part: "start" | "end" | "anywhere", text: string): string {
  const literal = text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  if (part === "start") return `^${literal}`;
  return part === "end" ? `${literal}$` : literal;
}

/** The source of a regular expression, given as one or written as `/source/flags`. */
export function patternSource(pattern: unknown): string | undefined {
  if (pattern instanceof RegExp) return pattern.source;
  if (typeof pattern !== "string") return undefined;
  return /^\/(.*)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern;
}
