import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder for files of one test. */
export interface Folder {
  readonly folder: string;
  /** Writes a file and answers its path. */
  readonly write: (path: string, text: string | Uint8Array) => string;
}

/** Makes a folder with these files that is gone when the test has finished. */
export function createFolder(files: Readonly<Record<string, string>>): Folder {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string | Uint8Array): string => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { folder, write };
}

/** The home directory and the machine's folder in a folder, and no environment: nothing of this machine. */
export function surroundingsIn(folder: string): {
  readonly home: string;
  readonly system: string;
  readonly env: Readonly<Record<string, string>>;
} {
  return { home: join(folder, "home"), system: join(folder, "etc"), env: {} };
}

/** The error of a class that a function throws; any other is thrown. */
export function errorOf<TError extends Error>(
  type: abstract new (...args: never[]) => TError,
  run: () => unknown,
): TError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof type) return thrown;
    throw thrown;
  }
  throw new Error(`there is no ${type.name}`);
}
