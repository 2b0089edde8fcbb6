import { constants } from "node:os";

/** The exit code that tells of a process's end as shells do: its own, or 128 and the signal's number. */
export function exitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}
