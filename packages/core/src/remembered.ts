const MAX_LENGTH = 64;
const MAX_TEXTS = 2_000;

/**
 * The function with a bounded memory: the names and words of schemas come again with every call.
 *
 * @remarks Longer texts are neither kept nor looked for. What is kept stays, so sent values may not be asked for.
 */
export function remembered<T>(
  compute: (text: string) => T,
  maxLength: number = MAX_LENGTH,
): (text: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (text) => {
    if (text.length > maxLength) return compute(text);
    const found = known.get(text);
    if (found) return found.answer;
    if (known.size >= MAX_TEXTS) known.clear();
    const answer = compute(text);
    known.set(text, { answer });
    return answer;
  };
}
