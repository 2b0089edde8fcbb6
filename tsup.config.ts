import { defineConfig } from "tsup";

// One build for every package: `tsup --config ../../tsup.config.ts src/index.ts …`.
export default defineConfig({
  format: "esm",
  target: "es2022",
  platform: "neutral",
  dts: true,
  clean: true,
  // Entries of one package share their modules, also where they are CommonJS: a module's state is there once.
  splitting: true,
  tsconfig: "../../tsconfig.build.json",
});
