const METHODS = ["tools/call", "tools/list", "notifications/cancelled"] as const;

/** The method of a client's message that the gate rules on. */
export type RuledMethod = (typeof METHODS)[number];

/** Tells whether the gate rules on messages of a method; all others go on. */
export function isRuled(method: unknown): method is RuledMethod {
  return METHODS.some((one) => one === method);
}
