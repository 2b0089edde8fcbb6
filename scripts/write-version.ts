// Writes the version of core into its source: `pnpm version-packages` runs it after changesets.
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../packages/core/", import.meta.url);
const source = new URL("src/shared/version.ts", root);
const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly version: string;
};
const text = readFileSync(source, "utf8");
writeFileSync(source, text.replace(/ VERSION = ".*"/, ` VERSION = "${version}"`));
