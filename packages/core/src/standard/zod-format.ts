import { broken, type BrokenRule } from "./standard-issue.ts";

const FORMATS: ReadonlyMap<string, string> = new Map([
  ["url", "uri"],
  ["datetime", "date-time"],
  ["guid", "uuid"],
  ["ip", "IP address"],
  // Without a time zone, which the JSON Schema format of this name demands.
  ["time", "HH:MM:SS"],
]);

/** The rule behind a string format of zod; undefined for the checks that are no formats. */
export function zodFormat(name: string): BrokenRule | undefined {
  if (NO_FORMATS.has(name)) return undefined;
  const rule = broken("VAL-010", { type: "string", format: FORMATS.get(name) ?? name });
  return name === "time" ? { ...rule, exact: true } : rule;
}

const NO_FORMATS: ReadonlySet<string> = new Set([
  "regex",
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
  "template_literal",
]);
