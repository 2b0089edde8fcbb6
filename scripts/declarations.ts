import { readdirSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** The extension of declarations, by the format of their module. */
const EXTENSIONS = { esm: "d.ts", cjs: "d.cts", iife: "d.ts" } as const;

/** What is never published: its types become part of the package, as its code does. */
const INTERNAL: ReadonlySet<string> = new Set(readdirSync(new URL("../internal", import.meta.url)));

function isPrivate(id: string): boolean {
  const [scope, name = ""] = id.split("/");
  return scope === "@toolcontract" && INTERNAL.has(name);
}

/**
 * Writes the declarations of a package's entries to its `dist`, for each format. They are read off the sources, whose
 * exported types are written out (`isolatedDeclarations`), so nothing is type-checked: that is another gate.
 */
export async function writeDeclarations(
  entries: readonly string[],
  formats: readonly (keyof typeof EXTENSIONS)[],
): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(
      entries.map((path) => [relative("src", path).replace(/\.ts$/, ""), path]),
    ),
    external: (id, importer) =>
      importer !== undefined && !id.startsWith(".") && !isAbsolute(id) && !isPrivate(id),
    plugins: [
      dts({
        dtsOnly: true,
        generator: "oxc",
        tsconfig: "../../tsconfig.build.json",
        sourcemap: false,
      }),
    ],
  });
  for (const format of formats) {
    await bundle.write({
      dir: "dist",
      format: "es",
      entryFileNames: `[name].${EXTENSIONS[format]}`,
      chunkFileNames: `[name]-[hash].${EXTENSIONS[format]}`,
    });
  }
  await bundle.close();
}
