import assert from "node:assert/strict";
import { dirname } from "node:path";
import type { Published } from "../published.ts";
import { runProcess } from "./run-process.ts";

interface Manifest {
  readonly name?: string;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly repository?: { readonly directory?: string };
  readonly engines?: { readonly node?: string };
}

/** Throws if a tarball lacks files that its npm page needs, or has files that it should not have. */
export async function checkManifest(
  { folder, npmName }: Published,
  tarball: string,
): Promise<void> {
  const cwd = dirname(tarball);
  const tar = (...args: string[]): Promise<string> => runProcess({ command: "tar", args, cwd });
  const files = (await tar("-tzf", tarball)).trim().split("\n");
  for (const file of ["LICENSE", "README.md", "package.json"]) {
    assert.ok(files.includes(`package/${file}`), `${file} is not in the tarball`);
  }
  assert.deepEqual(
    files.filter((file) => /\.test\.|\/src\//.test(file)),
    [],
    "sources are packed",
  );

  const text = await tar("-xzOf", tarball, "package/package.json");
  const manifest = JSON.parse(text) as Manifest;
  assert.doesNotMatch(text, /"(?:workspace|catalog):/, "a version that only pnpm reads");
  assert.equal(manifest.name, npmName);
  assert.equal(manifest.license, "MIT");
  assert.equal(manifest.repository?.directory, folder);
  // What an application or a framework depends on may need a newer Node.
  assert.match(manifest.engines?.node ?? "", /^>=2[02]/, "engines");
  assert.ok((manifest.description ?? "").length > 40, "no description");
  assert.ok((manifest.keywords ?? []).length >= 5, "fewer than five keywords");

  const readme = await tar("-xzOf", tarball, "package/README.md");
  const [title, first = ""] = readme.split("\n\n");
  assert.equal(title, `# ${manifest.name}`);
  assert.match(first, /^[A-Z][^#|<]{60,}/, "the README does not begin with a paragraph");
}
