import type { FlagKind } from "./flag.ts";

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { b: 1, kb: 1_024, mb: 1_024 ** 2 } as const;
const SWITCH = new Map([
  ["on", true],
  ["true", true],
  ["off", false],
  ["false", false],
]);
/** What timers take. */
const LONGEST = 2 ** 31 - 1;

/** A flag's value: milliseconds for durations, bytes for sizes. */
export type FlagValue = string | number | boolean;

/** Reads a flag's text; undefined where it is not of the flag's kind. */
export function readFlag(kind: FlagKind, text: string): FlagValue | undefined {
  switch (kind.type) {
    case "switch":
      return SWITCH.get(text);
    case "choice":
      return kind.choices.includes(text) ? text : undefined;
    case "integer":
      return integer(text, kind.from, kind.to);
    case "duration":
      return amount(text, MILLISECONDS, "s");
    case "size":
      return amount(text, BYTES, "b");
    case "text":
      return text !== "" && (kind.pattern?.test(text) ?? true) ? text : undefined;
  }
}

/** Says what a flag's text must look like. */
export function wantsOf(kind: FlagKind, value: string | undefined): string {
  switch (kind.type) {
    case "switch":
      return "on or off";
    case "choice":
      return `${kind.choices.slice(0, -1).join(", ")} or ${kind.choices.at(-1)}`;
    case "integer":
      return `a whole number from ${kind.from} to ${kind.to}`;
    case "duration":
      return "a time such as 500ms, 5s or 10m";
    case "size":
      return "a size such as 512kb or 4mb";
    case "text":
      return kind.wants ?? value ?? "a text that is not empty";
  }
}

function integer(text: string, from: number, to: number): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : undefined;
}

function amount<Unit extends string>(
  text: string,
  units: Readonly<Record<Unit, number>>,
  plain: Unit,
): number | undefined {
  const [, digits, unit = plain] =
    /^(\d{1,9}(?:\.\d{1,3})?)([a-z]+)?$/.exec(text.toLowerCase()) ?? [];
  if (digits === undefined || !Object.hasOwn(units, unit)) return undefined;
  const total = Math.round(Number(digits) * units[unit as Unit]);
  return total <= LONGEST ? total : undefined;
}
