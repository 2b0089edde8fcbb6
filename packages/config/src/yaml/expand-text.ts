const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]{0,127})\}/g;

/** The variables that a text names, each once. */
export function variablesOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name))];
}

/** Puts values in the place of `${NAME}`; what they hold is not expanded again. */
export function expandText(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** Reads an expanded text as the number or truth value that the option wants, if it is one. */
export function typedText(text: string, type: unknown): unknown {
  const trimmed = text.trim();
  if (type === "integer" && /^[-+]?\d{1,15}$/.test(trimmed)) return Number(trimmed);
  if (type === "boolean" && /^(?:true|false)$/i.test(trimmed))
    return trimmed.toLowerCase() === "true";
  return text;
}
