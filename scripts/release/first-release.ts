// What changed before the first version was published is news to nobody: its changesets become one.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedPackages } from "../published.ts";

const FOLDER = ".changeset";

const { version } = JSON.parse(readFileSync("packages/core/package.json", "utf8")) as {
  readonly version: string;
};
if (version === "0.0.0") {
  const changesets = readdirSync(FOLDER).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  for (const name of changesets) rmSync(join(FOLDER, name));
  const releases = publishedPackages().map(({ npmName }) => `"${npmName}": minor`);
  writeFileSync(
    join(FOLDER, "first-release.md"),
    `---\n${releases.join("\n")}\n---\n\nThe first release.\n`,
  );
}
