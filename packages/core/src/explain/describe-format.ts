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
};

/** The formats whose name says all to a model. */
const PLAIN = new Set(["uuid"]);

/** What a string format asks for, with an example where one says more than the name. */
export function describeFormat(format: string): string {
  if (format === "password") return "string";
  if (PLAIN.has(format)) return `${format} string`;
  const example = Object.hasOwn(EXAMPLES, format) ? EXAMPLES[format] : undefined;
  return example === undefined
    ? `string in ${format} format`
    : `${format} string such as "${example}"`;
}
