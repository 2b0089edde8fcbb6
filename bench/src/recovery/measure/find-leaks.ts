const PIECE = 6;

/** Whether a text holds a secret, or a piece of one of six characters. */
export function leaks(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) =>
    Array.from({ length: Math.max(1, secret.length - PIECE + 1) }, (_, at) =>
      secret.slice(at, at + PIECE),
    ).some((piece) => text.includes(piece)),
  );
}
