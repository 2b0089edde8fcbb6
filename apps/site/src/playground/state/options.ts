import { DEFAULT_OPTIONS, type PlaygroundOptions } from "./playground-state.ts";

/** What the value of an option must be. */
export type OptionRange =
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "boolean" }
  | { readonly kind: "text"; readonly maxLength: number };

/** What each option must be: for the controls, for links, and before a contract is created. */
export const OPTION_RANGES: Readonly<Record<keyof PlaygroundOptions, OptionRange>> = {
  style: { kind: "choice", values: ["standard", "compact"] },
  maxAttempts: { kind: "number", min: 1, max: 10 },
  maxErrors: { kind: "number", min: 1, max: 50 },
  maxLength: { kind: "number", min: 400, max: 20_000 },
  maxValuePreview: { kind: "number", min: 1, max: 1_000 },
  unknownFields: { kind: "choice", values: ["schema", "warn", "reject"] },
  onBlocked: { kind: "choice", values: ["forgive", "refuse"] },
  repairJson: { kind: "boolean" },
  closeDangling: { kind: "boolean" },
  unwrapStrings: { kind: "boolean" },
  redact: { kind: "text", maxLength: 200 },
};

/** The names of the options. */
export const OPTION_NAMES = Object.keys(OPTION_RANGES) as readonly (keyof PlaygroundOptions)[];

/** Whether a name is that of an option. */
export function isOptionName(name: string): name is keyof PlaygroundOptions {
  return Object.hasOwn(OPTION_RANGES, name);
}

/** Why a value does not fit an option; undefined if it does. */
export function misfit(name: keyof PlaygroundOptions, value: unknown): string | undefined {
  const range = OPTION_RANGES[name];
  switch (range.kind) {
    case "choice":
      return range.values.some((known) => known === value)
        ? undefined
        : `must be one of ${range.values.join(", ")}`;
    case "number":
      return Number.isInteger(value) && Number(value) >= range.min && Number(value) <= range.max
        ? undefined
        : `must be a whole number from ${range.min} to ${range.max}`;
    case "boolean":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "text":
      return typeof value === "string" && value.length <= range.maxLength
        ? undefined
        : `must be a string of at most ${range.maxLength} characters`;
  }
}

/** The options, each that does not fit replaced by its default. */
export function fitOptions(options: PlaygroundOptions): PlaygroundOptions {
  const fitting = Object.entries(options).filter(
    ([name, value]) => isOptionName(name) && misfit(name, value) === undefined,
  );
  return { ...DEFAULT_OPTIONS, ...Object.fromEntries(fitting) };
}
