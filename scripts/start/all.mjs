// Loaded before every script but the demo: installs what the lockfile has, and goes on with its Node.
import { realpathSync } from "node:fs";
import { NODE, continueOn, hasEverything, install, isCurrent } from "./install.mjs";

if (!hasEverything() || !isCurrent()) install();
if (realpathSync(process.execPath) !== realpathSync(NODE)) await continueOn(NODE);
