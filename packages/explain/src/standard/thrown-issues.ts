import { isRecord } from "../shared/index.ts";

/** What a library's error says is wrong with a value. */
export interface ThrownIssues {
  readonly issues: readonly unknown[];
  /** The library, as a Standard Schema names it; undefined if the error does not say. */
  readonly vendor: string | undefined;
}

/** The libraries whose `parse` throws, by the names of their errors. */
const VENDORS: ReadonlyMap<unknown, string> = new Map([
  ["ZodError", "zod"],
  ["$ZodError", "zod"],
  ["ValiError", "valibot"],
]);

/** Reads the issues of an error that a validating function threw; undefined if it is an error of another kind. */
export function thrownIssues(thrown: unknown): ThrownIssues | undefined {
  try {
    if (!isRecord(thrown)) return undefined;
    const { arkErrors, name } = thrown;
    if (Array.isArray(arkErrors)) return { issues: arkErrors, vendor: "arktype" };
    const { issues } = thrown;
    return Array.isArray(issues) && issues.length > 0
      ? { issues, vendor: VENDORS.get(name) }
      : undefined;
  } catch {
    return undefined;
  }
}
