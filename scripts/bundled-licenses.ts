import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const FILE = "THIRD-PARTY-LICENSES.txt";

// The innermost package wins: packages may be installed inside others.
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Writes the names, versions and licences of the packages that a build contains to a file beside it. */
export function bundledLicenses(): Plugin {
  return {
    name: "bundled-licenses",
    setup(build) {
      const { outdir = "." } = build.initialOptions;
      build.onEnd(({ metafile }) => {
        const outputs = Object.values(metafile?.outputs ?? {});
        const contained = outputs.flatMap(({ inputs }) =>
          Object.entries(inputs).flatMap(([path, { bytesInOutput }]) =>
            bytesInOutput > 0 ? (PACKAGE.exec(path)?.[0] ?? []) : [],
          ),
        );
        const texts = [...new Set(contained)].map(licenseOf).toSorted();
        if (texts.length === 0) return;
        // At the first file of a build, the others are not written yet.
        mkdirSync(outdir, { recursive: true });
        writeFileSync(join(outdir, FILE), texts.join(`\n${"-".repeat(80)}\n\n`));
      });
    },
  };
}

/** A package's name, version and licence; throws if it has no licence text. */
function licenseOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const { name, version, license } = manifest;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, but has no licence file.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
