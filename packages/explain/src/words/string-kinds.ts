const EXAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  time: "09:30:00Z",
  duration: "P3DT4H",
  email: "ana@example.com",
  uri: "https://example.com/page",
  url: "https://example.com/page",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  hostname: "example.com",
  e164: "+4915112345678",
  cidrv4: "10.0.0.0/8",
};

/** Formats whose name is enough for a model. */
export const PLAIN_FORMATS: ReadonlySet<string> = new Set(["uuid"]);

/** Zod writes these string checks as formats; the pattern beside them says the rest. */
const CHECKS: ReadonlySet<string> = new Set([
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
]);

/** Writes a string's kind, with an example if that says more than the format's name. */
export function writeStringKind(format: string | undefined): string {
  if (format === undefined || format === "password" || CHECKS.has(format)) return "string";
  if (format === "regex") return "regular expression string";
  if (PLAIN_FORMATS.has(format)) return `${format} string`;
  const example = Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined;
  return example === undefined
    ? `string in ${format} format`
    : `${format} string such as "${example}"`;
}

/** Whether a format is written before the type, as in `uuid string`. */
export function isNamedFormat(format: string): boolean {
  return PLAIN_FORMATS.has(format) || Object.hasOwn(EXAMPLES, format);
}
