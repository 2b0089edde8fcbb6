import { readFileSync, writeFileSync } from "node:fs";

/** What to load in place of each file, by its path. */
export type Sources = Readonly<Record<string, string>>;

/** The environment variable that names the file with them. */
export const SOURCES_FILE = "MUTATE_SOURCES";

/** For the processes that tests start: they read it when they begin. */
export function writeSources(sources: Sources): void {
  const file = process.env[SOURCES_FILE];
  if (file !== undefined) writeFileSync(file, JSON.stringify(sources));
}

export function readSources(): Sources {
  try {
    return JSON.parse(readFileSync(process.env[SOURCES_FILE] ?? "", "utf8")) as Sources;
  } catch {
    return {};
  }
}
