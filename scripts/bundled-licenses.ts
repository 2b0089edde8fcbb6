import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "tsup";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

const FILE = "THIRD-PARTY-LICENSES.txt";

// The innermost package wins: installed packages lie in folders of others.
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Writes beside a build what it contains of other packages, with their versions and licences. */
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
        // The first file of a build: the others are written after this.
        mkdirSync(outdir, { recursive: true });
        writeFileSync(join(outdir, FILE), texts.join(`\n${"-".repeat(80)}\n\n`));
      });
    },
  };
}

/** A package's name, version and licence; throws where it came without a text. */
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
