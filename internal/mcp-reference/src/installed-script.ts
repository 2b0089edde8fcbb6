import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The script that an installed package runs as its command, by the URL of its manifest. */
export function installedScript(manifest: string): string {
  const { bin } = JSON.parse(readFileSync(new URL(manifest), "utf8")) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  const [script = ""] = typeof bin === "string" ? [bin] : Object.values(bin);
  return fileURLToPath(new URL(script, manifest));
}
