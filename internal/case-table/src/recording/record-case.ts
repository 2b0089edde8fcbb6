import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { normalize } from "./normalize.ts";
import { type Recorder, startRecorder } from "./recorder.ts";

/** The environment variable with the folder that `pnpm snapshot:behaviour` records into. */
export const FOLDER_VARIABLE = "BEHAVIOUR_FOLDER";

const FOLDER = process.env[FOLDER_VARIABLE];

/** What a case is recorded under: a file for each host and theme, a line for each thing that it made visible. */
export interface CasePlace {
  readonly host: string;
  readonly theme: string;
  readonly name: string;
}

/** Runs a case; while behaviour is recorded, writes what it made visible, also if it fails. */
export async function recordCase<T>(
  place: CasePlace,
  run: (recorder?: Recorder) => Promise<T>,
): Promise<T> {
  if (FOLDER === undefined) return run();
  const recorder = await startRecorder();
  try {
    return await run(recorder);
  } finally {
    const lines = (await recorder.end()).map(({ kind, turn, detail }) =>
      JSON.stringify({ case: place.name, ...(turn > 0 && { turn }), [kind]: detail }),
    );
    const folder = join(FOLDER, place.host.replaceAll(/[^\w.-]+/g, "-"));
    mkdirSync(folder, { recursive: true });
    const text = lines.map((line) => `${normalize(line)}\n`).join("");
    appendFileSync(join(folder, `${place.theme}.jsonl`), text);
  }
}
