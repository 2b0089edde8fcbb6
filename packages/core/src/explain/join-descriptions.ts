const FIELDS = /^object with ([^ ]+(?:, [^ ]+)*)$/;

/** What all of several schemas ask for: the fields of all of them, else what the first one says. */
export function joinDescriptions(parts: readonly string[]): string | undefined {
  const [first] = parts;
  if (!parts.every((part) => FIELDS.test(part) || part === "object")) return first;
  const names = parts.flatMap((part) => FIELDS.exec(part)?.[1] ?? []);
  return names.length > 0 ? `object with ${names.join(", ")}` : first;
}
