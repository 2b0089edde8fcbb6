#!/usr/bin/env node
import module from "node:module";

// From Node 22.8 on, the next start finds its code compiled; where the cache can't be written, nothing changes.
(module as Partial<typeof module>).enableCompileCache?.();
// A host that no longer reads what is logged wants its server nevertheless.
process.stderr.on("error", () => undefined);
const { main } = await import("./cli/index.ts");

process.exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  packageUrl: new URL("../package.json", import.meta.url),
});
