import { randomUUID } from "node:crypto";
import {
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";

/** Something other than a file that a file must not replace. */
export class NotAFile extends Error {}

/**
 * Writes a file as a whole: a reader sees all of the old text or all of the new. A link stays, and the file that it points
 * at is replaced.
 *
 * @throws NotAFile if there is something else, such as a device.
 */
export function replaceFile(path: string, text: string): void {
  const target = fileToWrite(path);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function fileToWrite(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  // Created first, because a link may point at a file that does not exist yet.
  if (stats === undefined) closeSync(openSync(path, "a"));
  else if (!stats.isFile()) throw new NotAFile(fileKind(stats));
  return realpathSync(path);
}

function fileKind(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
