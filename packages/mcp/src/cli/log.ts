import { closeSync, openSync, writeSync } from "node:fs";
import type { ContractLogger } from "@toolcontract/core";
import { logLine } from "@toolcontract/core/adapter";
import type { ErrorOutput } from "./error-output.ts";
import { UsageError } from "./failure.ts";

/** Fields of the proxy's own entries; they never hold part of a message. */
type OwnFields = Readonly<Record<string, string | number>>;

/** The log of one run: standard error for people, a file for programs. */
export interface Log {
  /** The logger for the contract. */
  readonly contract: ContractLogger;
  readonly info: (message: string, fields?: OwnFields) => void;
  readonly warn: (message: string, fields?: OwnFields) => void;
  /** Opens the file anew, at the same path: it may have been rotated. */
  readonly reopen: () => void;
  /** How many lines of the file could not be written. */
  readonly lostLines: () => number;
  readonly close: () => void;
}

/** Where a log goes. */
export interface LogOptions {
  readonly level: "info" | "warn" | "silent";
  readonly file?: string | undefined;
  readonly errors: ErrorOutput;
  /** The name of the server, which is in each line: a host may keep one log for several. */
  readonly server?: string;
  readonly now: () => Date;
}

interface LoggedEntry {
  readonly level: "info" | "warn";
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Opens a log. Lines of the file are written synchronously, so that none is lost if the process is killed. */
export function openLog({ level, file, errors, server, now }: LogOptions): Log {
  let descriptor = file === undefined ? undefined : openFile(file);
  let lost = 0;

  function write(own: LoggedEntry): void {
    const entry = server === undefined ? own : { ...own, server };
    if (level === "info" || level === entry.level) errors.write(`${logLine(entry)}\n`);
    if (descriptor === undefined) return;
    const { level: severity, ...rest } = entry;
    const line = { time: now().toISOString(), level: severity, ...rest };
    if (!tryWrite(descriptor, line)) lost += 1;
  }
  errors.onReadAgain((lines) => {
    write({
      level: "warn",
      message: "Lines on standard error were dropped: nobody read it",
      lines,
    });
  });
  return {
    contract: ({ level: severity, ...fields }, message) => {
      write({ level: severity, message, ...fields });
    },
    info: (message, fields) => {
      write({ level: "info", message, ...fields });
    },
    warn: (message, fields) => {
      write({ level: "warn", message, ...fields });
    },
    reopen() {
      if (file === undefined || descriptor === undefined) return;
      try {
        const fresh = openFile(file);
        closeSync(descriptor);
        descriptor = fresh;
      } catch {
        write({
          level: "warn",
          message: "The log file cannot be opened anew: the old one goes on",
        });
      }
    },
    lostLines: () => lost,
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

function openFile(file: string): number {
  try {
    // Tool names and times are private.
    return openSync(file, "a", 0o600);
  } catch (thrown) {
    throw new UsageError(
      `--log-file cannot be written (${codeOfThrown(thrown)}): choose a file in a folder that exists and is writable`,
    );
  }
}

function tryWrite(descriptor: number, entry: object): boolean {
  try {
    writeSync(descriptor, `${logLine(entry)}\n`);
    return true;
  } catch {
    // A full disk must not end the proxy; the line is lost.
    return false;
  }
}

function codeOfThrown(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown reason";
}
