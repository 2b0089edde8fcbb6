import type { Per } from "../shared/index.ts";

/** The names of the windows. */
export const PERIODS: readonly Per[] = ["minute", "hour", "day", "run"];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Every change of a zone's offset is at a multiple of it. */
const STEP = 15 * MINUTE;

/** Returns since when calls count at a time; undefined if all do. */
export type Window = (now: number) => number | undefined;

/** The window of a limit. */
export function windowOf(per: Per | undefined, timeZone: string): Window {
  switch (per) {
    case "minute":
      return (now) => now - MINUTE;
    case "hour":
      return (now) => now - HOUR;
    case "day": {
      const startOf = calendarDays(timeZone);
      // An entry that ended at the day's first millisecond belongs to that day.
      return (now) => startOf(now) - 1;
    }
    case "run":
    case undefined:
      return () => undefined;
  }
}

/** Whether the runtime knows a time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== "string") return false;
  try {
    return dayFormat(name).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Finds the first millisecond of the calendar day; remembers the latest day, because formatting a date is slow. */
function calendarDays(timeZone: string): (now: number) => number {
  const format = dayFormat(timeZone);
  const dateOf = (time: number): string => format.format(time);
  let known = { from: Infinity, until: -Infinity };
  return (now) => {
    if (now >= known.from && now < known.until) return known.from;
    const date = dateOf(now);
    const isOfDay = (time: number): boolean => dateOf(time) === date;
    let from = Math.floor(now / STEP) * STEP;
    let until = from + STEP;
    while (isOfDay(from - STEP)) from -= STEP;
    while (isOfDay(until)) until += STEP;
    known = { from, until };
    return from;
  };
}

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: "numeric", month: "numeric", day: "numeric" } as const;
  return new Intl.DateTimeFormat("en", { timeZone, calendar: "iso8601", ...parts });
}
