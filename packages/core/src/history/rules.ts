/** Whose rules a history must follow; Gemini's are those of its endpoint for OpenAI's messages. */
export type HistoryProvider = "openai" | "anthropic" | "gemini" | "mistral";

/** What a provider takes of a call in a history. */
export interface HistoryRules {
  readonly name: RegExp;
  readonly id: RegExp;
  /** True if arguments must be an object; a provider refuses any other text in every later request. */
  readonly onlyObjects: boolean;
}

const EVERY: HistoryRules = { name: /^[\w-]{1,64}$/, id: /^[\w-]{1,40}$/, onlyObjects: true };

const RULES: Readonly<Record<HistoryProvider, HistoryRules>> = {
  openai: { ...EVERY, id: /^[^]{1,40}$/, onlyObjects: false },
  anthropic: { ...EVERY, name: /^[\w-]{1,128}$/, id: /^[\w-]+$/ },
  gemini: EVERY,
  mistral: { ...EVERY, id: /^[a-zA-Z0-9]{9}$/ },
};

/** The rules of a provider; without one, those of all of them together. */
export function rulesOf(provider: HistoryProvider | undefined): HistoryRules | undefined {
  if (provider === undefined) return EVERY;
  return Object.hasOwn(RULES, provider) ? RULES[provider] : undefined;
}

/** The providers that have rules of their own. */
export const HISTORY_PROVIDERS: readonly string[] = Object.keys(RULES);

const LONGEST = 64;

/** A name that every provider takes, for one that some refuse. */
export function sendableName(name: unknown): string {
  if (typeof name !== "string") return "unknown";
  return name.replaceAll(/[^\w-]/g, "_").slice(0, LONGEST) || "unknown";
}
