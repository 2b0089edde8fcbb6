const SUSPECT = /"(?:_|\\u005f|\\u0070|c|\\u0063)/i;

/**
 * Tells whether the SDK's parser refuses a text that JSON allows.
 *
 * It takes no object with an own `__proto__`, nor one whose `constructor` has a `prototype`.
 */
export function hasForbiddenKeys(text: string): boolean {
  if (!SUSPECT.test(text)) return false;
  try {
    return isForbidden(JSON.parse(text));
  } catch {
    return false;
  }
}

function isForbidden(root: unknown): boolean {
  const waiting = [root];
  // A loop, because the model decides how deep the value is nested.
  for (
    let value = waiting.pop();
    waiting.length > 0 || value !== undefined;
    value = waiting.pop()
  ) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return true;
    if (Object.hasOwn(value, "constructor")) {
      const own: unknown = (value as { readonly constructor: unknown }).constructor;
      if (typeof own === "object" && own !== null && Object.hasOwn(own, "prototype")) return true;
    }
    for (const child of Object.values(value)) {
      if (typeof child === "object" && child !== null) waiting.push(child);
    }
  }
  return false;
}
