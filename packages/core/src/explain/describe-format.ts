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

/** The formats whose name says all to a model. */
const PLAIN = new Set(["uuid"]);

/** What zod writes as formats: its checks of a text, which come with a pattern that says all. */
const CHECKS = new Set(["starts_with", "ends_with", "includes", "lowercase", "uppercase"]);

/** Tells whether a text of the format holds at least one character, so that nobody needs to say so. */
export function isNeverEmpty(format: string): boolean {
  return PLAIN.has(format) || Object.hasOwn(EXAMPLES, format);
}

/** What a string format asks for, with an example where one says more than the name. */
export function describeFormat(format: string): string {
  if (format === "regex") return "regular expression string";
  if (format === "password" || CHECKS.has(format)) return "string";
  if (PLAIN.has(format)) return `${format} string`;
  const example = Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined;
  return example === undefined
    ? `string in ${format} format`
    : `${format} string such as "${example}"`;
}
