import { createHash } from "node:crypto";

/** Names a credential without showing it: the same name everywhere, short enough for a log. */
export function fingerprint(secret: string): string {
  // Not crypto.hash, which worker runtimes lack.
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}
