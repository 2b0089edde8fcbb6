const MAX_LENGTH = 64;
const MAX_NAMES = 2_000;

/**
 * The function with a bounded memory: the names of schemas come again with every call.
 *
 * @remarks Long texts are no names, so they are neither kept nor looked for.
 */
export function remembered<T>(compute: (name: string) => T): (name: string) => T {
  const known = new Map<string, { readonly answer: T }>();
  return (name) => {
    if (name.length > MAX_LENGTH) return compute(name);
    const found = known.get(name);
    if (found) return found.answer;
    if (known.size >= MAX_NAMES) known.clear();
    const answer = compute(name);
    known.set(name, { answer });
    return answer;
  };
}
