import { closeSync, openSync, writeSync } from "node:fs";
import type { ContractLogger } from "@toolcontract/core";
import { UsageError } from "./failure.ts";

/** What the proxy itself logs: plain words and numbers, never a part of a message. */
type OwnFields = Readonly<Record<string, string | number>>;

/** The log of one run: standard error for people, a file for machines. */
export interface Log {
  /** Takes what the contract logs. */
  readonly contract: ContractLogger;
  readonly info: (message: string, fields?: OwnFields) => void;
  readonly warn: (message: string, fields?: OwnFields) => void;
  readonly close: () => void;
}

/** Where a log goes. */
export interface LogOptions {
  readonly level: "info" | "warn" | "silent";
  readonly file?: string | undefined;
  readonly now: () => Date;
}

type Level = "info" | "warn";

/** Opens a log; its lines are written at once, so that none is lost when the process is killed. */
export function openLog({ level, file, now }: LogOptions): Log {
  let descriptor = file === undefined ? undefined : openFile(file);

  function write(entry: { readonly level: Level; readonly message: string }): void {
    if (level === "info" || level === entry.level) process.stderr.write(toLine(entry));
    if (descriptor === undefined) return;
    const { level: severity, ...rest } = entry;
    tryWrite(descriptor, { time: now().toISOString(), level: severity, ...rest });
  }
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
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}

/** Servers name their tools as they like, and a terminal obeys more characters than JSON escapes. */
function toLine(entry: object): string {
  const text = JSON.stringify(entry);
  return `${text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}\n`;
}

function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Nobody else may read which tools are called. */
function openFile(file: string): number {
  try {
    return openSync(file, "a", 0o600);
  } catch (thrown) {
    throw new UsageError(
      `--log-file cannot be written (${codeOf(thrown)}): name a file in a folder that exists and is yours`,
    );
  }
}

/** A full disk must not end the proxy. */
function tryWrite(descriptor: number, entry: object): void {
  try {
    writeSync(descriptor, toLine(entry));
  } catch {
    // The line is lost.
  }
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown reason";
}
