// Runs a program as Node does, but in workerd: `node run-in-workerd.mjs FOLDER FLAGS PROGRAM`, with miniflare and esbuild
// installed in FOLDER, and FLAGS of the runtime joined by commas; with `durable-object` among them, it runs in a Durable Object,
// whose storage is `durableObjectStorage`. Prints what the program logs.
import { builtinModules, createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";

const [folder, flags, program] = process.argv.slice(2);
const require = createRequire(join(folder, "package.json"));
const { build } = require("esbuild");
const { Miniflare } = require("miniflare");

// Imported in a request: workers may neither wait nor ask for random numbers before one.
const WORKER = `
import { DurableObject } from "cloudflare:workers";
async function run() {
  const lines = [];
  console.log = (...values) => void lines.push(values.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join(" "));
  await import(${JSON.stringify(resolve(program))});
  return new Response(lines.map((line) => line + "\\n").join(""));
}
export class Place extends DurableObject {
  async fetch() {
    globalThis.durableObjectStorage = this.ctx.storage;
    return run();
  }
}
export default {
  async fetch(request, { PLACE }) {
    return PLACE === undefined ? run() : PLACE.get(PLACE.idFromName("place")).fetch(request);
  },
};`;
/** Modules of Node, under the only names that workerd has for them, also where they are required. */
const nodeModules = {
  name: "node-modules",
  setup(bundler) {
    const filter = new RegExp(`^(?:node:)?(?:${builtinModules.join("|")})$`);
    bundler.onResolve({ filter }, ({ path, kind }) => {
      const name = path.startsWith("node:") ? path : `node:${path}`;
      return kind === "require-call"
        ? { path: name, namespace: "required" }
        : { path: name, external: true };
    });
    bundler.onLoad({ filter: /.*/, namespace: "required" }, ({ path }) => ({
      contents: `import all from ${JSON.stringify(path)};\nmodule.exports = all;`,
    }));
  },
};

const all = flags === "" ? [] : flags.split(",");
const compatibilityFlags = all.filter((flag) => flag !== "durable-object");
const durableObjects = all.includes("durable-object")
  ? { PLACE: { className: "Place", useSQLite: true } }
  : {};
const { outputFiles } = await build({
  stdin: { contents: WORKER, resolveDir: process.cwd() },
  bundle: true,
  write: false,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*"],
  plugins: compatibilityFlags.includes("nodejs_compat") ? [nodeModules] : [],
  logLevel: "error",
});
const worker = new Miniflare({
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: "2026-04-01",
  compatibilityFlags,
  durableObjects,
});
try {
  const response = await worker.dispatchFetch("http://worker/");
  const text = await response.text();
  process.stdout.write(text);
  if (!response.ok) process.exitCode = 1;
} finally {
  await worker.dispose();
}
