const TOKEN = /\s*(?:([[\]{},:])|("(?:[^"\\]|\\.)*")|([^\s[\]{},:"]+))/y;

/** Parses JSON as parsers do that keep the first of two members with the same name; undefined if it is invalid. */
export function parseFirstWins(text: string): unknown {
  try {
    // Strips a byte order mark and refuses what is not JSON.
    const source = text.replace(/^\uFEFF/, "");
    JSON.parse(source);
    const tokens = tokensOf(source);
    return parseValue(tokens);
  } catch {
    return undefined;
  }
}

function tokensOf(text: string): string[] {
  const pattern = new RegExp(TOKEN);
  const tokens: string[] = [];
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    tokens.push(match[0].trim());
  }
  return tokens.toReversed();
}

function parseValue(tokens: string[]): unknown {
  const token = tokens.pop() ?? "";
  if (token === "[") return parseMembers(tokens, "]", () => parseValue(tokens));
  if (token !== "{") return JSON.parse(token) as unknown;
  const members = parseMembers(tokens, "}", () => {
    const name = JSON.parse(tokens.pop() ?? "") as string;
    tokens.pop();
    return [name, parseValue(tokens)] as const;
  });
  // Of two members with the same name, the later one is overwritten.
  return Object.fromEntries(members.toReversed());
}

function parseMembers<T>(tokens: string[], end: string, parse: () => T): readonly T[] {
  const members: T[] = [];
  while (tokens.at(-1) !== end) {
    members.push(parse());
    if (tokens.at(-1) === ",") tokens.pop();
  }
  tokens.pop();
  return members;
}
