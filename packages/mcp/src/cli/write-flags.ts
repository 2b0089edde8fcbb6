// Writes the flags into the table of docs/mcp-flags.md.
import { readFileSync, writeFileSync } from "node:fs";
import { flagPage } from "./help.ts";

const page = new URL("../../../../docs/mcp-flags.md", import.meta.url);
writeFileSync(page, flagPage(readFileSync(page, "utf8")));
