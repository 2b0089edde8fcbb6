import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { publishedPackages } from "../published.ts";

/** The address of the repository: `repository.url` of the root's manifest; undefined while there is none. */
export function repositoryAddress(root: string): string | undefined {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { repository } = JSON.parse(text) as { readonly repository?: { readonly url?: string } };
  return repository?.url?.replace(/^git\+/, "").replace(/\.git$/, "");
}

/**
 * Writes the address into the manifests and READMEs of the published packages, as npm wants it.
 *
 * @returns what puts the files back
 */
export function writeAddress(root: string, address: string): () => void {
  const before = new Map<string, string>();
  const change = (path: string, changed: (text: string) => string): void => {
    const text = readFileSync(path, "utf8");
    before.set(path, text);
    writeFileSync(path, changed(text));
  };
  for (const { folder, npmName } of publishedPackages()) {
    change(join(root, folder, "package.json"), (text) => withAddress(text, address, folder));
    change(join(root, folder, "README.md"), (text) =>
      withBadges(withWholeLinks(text, address, folder), [npmBadge(npmName), testsBadge(address)]),
    );
  }
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}

/** A manifest with `repository.url`, `homepage` and `bugs`. */
export function withAddress(manifest: string, address: string, folder: string): string {
  const read = JSON.parse(manifest) as object;
  return `${JSON.stringify(
    {
      ...read,
      repository: { type: "git", url: `git+${address}.git`, directory: folder },
      homepage: `${address}/tree/main/${folder}#readme`,
      bugs: `${address}/issues`,
    },
    null,
    2,
  )}\n`;
}

/** A README with badges below its title. */
export function withBadges(readme: string, badges: readonly string[]): string {
  return readme.replace(/^# .*\n/, (title) => `${title}\n${badges.join("\n")}\n`);
}

/** Whether the last commit passed. */
export function testsBadge(address: string): string {
  const workflow = `${address}/actions/workflows/ci.yml`;
  return `[![tests](${workflow}/badge.svg?branch=main)](${workflow})`;
}

/** The version of a package that npm has. */
function npmBadge(name: string): string {
  return `[![npm](https://img.shields.io/npm/v/${name})](https://www.npmjs.com/package/${name})`;
}

/** A README whose links and images lead into the repository from everywhere. */
export function withWholeLinks(readme: string, address: string, folder: string): string {
  return readme.replaceAll(
    /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!\w+:|#)([^)\s]+)\)/g,
    (_, image: string, text: string, target: string) => {
      const path = posix.join(folder, target);
      return `${image}[${text}](${address}/${image === "" ? "blob" : "raw"}/main/${path})`;
    },
  );
}
