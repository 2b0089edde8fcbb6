import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The files that the tools work on, as they are before the demo runs. */
export const SEED: Readonly<Record<string, string>> = {
  "notes/todo.md": "# To do\n- [ ] renew the certificate\n- [ ] book a room for Friday\n",
  "notes/meeting.md": "# Meeting, 12 May\nPresent: Ada, Grace, Linus\nNext: Friday\n",
  "archive/todo-2024.md": "# To do, 2024\n- [x] move the server\n",
  "logs/app.log":
    "09:12 INFO  started\n09:14 WARN  disk 91 % full\n09:15 ERROR upload failed\n09:16 INFO  retried",
  "logs/access.log": "GET / 200\n".repeat(40),
  "inbox/scan.txt": "invoice 4711\n",
  "src/server.ts": "export const port = 8080;\n",
};

/** One folder that a filesystem server may use. */
export interface Folder {
  readonly path: string;
  /** A file's content; undefined if there is no such file. */
  read(file: string): string | undefined;
}

/** Two folders with the same files: one behind the contract, one for a plain loop. */
export interface Workspace {
  readonly root: string;
  readonly guarded: Folder;
  readonly plain: Folder;
  remove(): void;
}

/** Creates the folders of one run in the system's temporary folder. */
export function createWorkspace(): Workspace {
  // Six digits are two tokens, whichever they are: the paths in tools' results cost the same in every run.
  const root = join(realpathSync(tmpdir()), `toolcontract-demo-${randomInt(100_000, 1_000_000)}`);
  mkdirSync(root, { mode: 0o700 });
  return {
    root,
    guarded: createFolder(join(root, "with-contract")),
    plain: createFolder(join(root, "without-contract")),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function createFolder(path: string): Folder {
  for (const [file, text] of Object.entries(SEED)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  return {
    path,
    read(file) {
      try {
        return readFileSync(join(path, file), "utf8");
      } catch {
        return undefined;
      }
    },
  };
}
