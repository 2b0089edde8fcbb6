import { clip, CUTS } from "@toolcontract/explain/adapter";
import type { Undone } from "../shared/index.ts";
import type { FormatOptions } from "./format-options.ts";
import { formatUndone } from "./frame.ts";
import { fitsLimits } from "./layout.ts";

/** Why a tool failed that does not say why. */
export const NO_REASON = "it gave no reason";

/** What the model reads of a tool that failed without a word. */
export const FAILED_SILENTLY: string = `The tool failed: ${NO_REASON}`;

/** The content of a message about a tool that ran and failed; its strings are ready to be shown. */
interface FailureContent {
  /** Absent if it need not be named. */
  readonly toolName?: string;
  /** Why it failed. */
  readonly message: string;
  /** What was undone: `"all"`, or the names of the effects that could not be. */
  readonly undone?: Undone | undefined;
  /** Set if what the tool returned is withheld: of one that has `"done"` what it should, or that has `"failed"`. */
  readonly withheld?: "done" | "failed" | undefined;
}

/** Writes that a tool failed, why, and what was undone; the names of effects are dropped first if that is too long. */
export function formatFailure(
  { toolName, message, undone, withheld }: FailureContent,
  options: FormatOptions,
): string {
  const subject = toolName === undefined ? "The tool" : `Tool '${toolName}'`;
  const write = (max: number, shown: Undone | undefined): string => {
    const line = `${subject} ${WHAT[withheld ?? "told"]}: ${clip(message, max)}`;
    return shown === undefined ? line : `${line}\n${formatUndone(shown)}`;
  };
  const nameless = undone === undefined || undone === "all" ? undone : [];
  const shorter = [message.length, ...CUTS].map((max) => write(max, nameless));
  const texts = [write(message.length, undone), ...shorter];
  return texts.find((text) => fitsLimits(text, options)) ?? write(SHORTEST, nameless);
}

const WHAT = {
  told: "failed",
  failed: "failed, and what it returned is withheld",
  done: "has run and need not be called again, but its result is withheld",
} as const;

const SHORTEST: number = Math.min(...CUTS);
