// Writes docs/mcp-flags.md from the flags.
import { writeFileSync } from "node:fs";
import { flagPage } from "./help.ts";

writeFileSync(new URL("../../../../docs/mcp-flags.md", import.meta.url), flagPage());
