import type { Finding } from "../../shared/index.ts";

const MAX_TEXT = 60;
const DATE = /^\d{4}-\d\d-\d\d/;

type StringHint = Pick<Finding, "hint">;

/** Hints at a date or time that is nearly in its format. */
export function hintForFormat(
  format: string,
  text: unknown,
  matches: (format: string, text: string) => boolean,
): StringHint {
  if (typeof text !== "string" || text.length > MAX_TEXT) return {};
  const isTime = format === "date-time" || format === "time";
  if (isTime && matches(format, `${text}Z`)) return { hint: { kind: "add-zone" } };
  const [date] = DATE.exec(text) ?? [];
  if (date === undefined || (format !== "date" && format !== "date-time")) return {};
  if (!matches("date", date)) return { hint: { kind: "use-real-date" } };
  const isLonger = format === "date" && /^[T ]\d\d:/.test(text.slice(date.length));
  return isLonger ? { hint: { kind: "use", value: date, echoes: true } } : {};
}

/** Hints at a string without the blanks around it, or in the other case, if a pattern accepts it in one of both; a rule about the first letter changes no other. */
export function hintForCase(text: string, accepts: (text: string) => boolean): StringHint {
  if (text.length > MAX_TEXT) return {};
  const bare = text.trim();
  if (bare !== text && accepts(bare)) return { hint: { kind: "use", value: bare, echoes: true } };
  const lower = text.toLowerCase();
  const capitalised = text.slice(0, 1).toUpperCase() + text.slice(1);
  if (capitalised !== text.toUpperCase() && accepts(capitalised) && !accepts(lower))
    return { hint: { kind: "use", value: capitalised, echoes: true } };
  const [other, more] = [text.toUpperCase(), lower].filter(accepts);
  return other === undefined || more !== undefined
    ? {}
    : { hint: { kind: "use", value: other, echoes: true } };
}
