#!/usr/bin/env node
import module from "node:module";

// From Node 22.8 on, compiled code is cached for the next start; a cache that cannot be written is ignored.
(module as Partial<typeof module>).enableCompileCache?.();
// A closed standard error must not end the proxy.
process.stderr.on("error", () => undefined);
const { main } = await import("./cli/index.ts");

process.exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  streams: process,
  packageUrl: new URL("../package.json", import.meta.url),
});
// Wait until answers are read, but not for standard error: if nobody reads it, the process would never end.
let unread = Number.POSITIVE_INFINITY;
setInterval(() => {
  const { writableLength } = process.stderr;
  if (process.stdout.writableLength === 0 && writableLength >= unread) process.exit();
  unread = writableLength;
}, 500).unref();
