import { readFileSync } from "node:fs";
import { defineConfig } from "tsup";
import { bundledLicenses } from "./scripts/bundled-licenses.ts";
import { writeDeclarations } from "./scripts/declarations.ts";

// A command has no exports.
const { exports = {} } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports?: Readonly<Record<string, string>>;
};
const entries = Object.values(exports).filter((path) => path.endsWith(".ts"));

// One build for every package: `tsup --config ../../tsup.config.ts src/index.ts …`. Its `dependencies` and
// `peerDependencies` stay imports; what else it imports becomes part of it, with the licence.
export default defineConfig(({ format = "esm" }) => ({
  format: "esm",
  target: "es2022",
  platform: "neutral",
  clean: true,
  // Entries of one package share their modules, also where they are CommonJS: a module's state is there once.
  splitting: true,
  // Bundlers and other runtimes know Node's own modules by this prefix.
  removeNodeProtocol: false,
  tsconfig: "../../tsconfig.build.json",
  esbuildPlugins: [bundledLicenses()],
  onSuccess: async () => {
    if (entries.length > 0) await writeDeclarations(entries, [format].flat());
  },
}));
