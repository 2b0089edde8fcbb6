import { writeFileSync } from "node:fs";
import { rulesPage } from "./rules-page.ts";

// Writes docs/lint-rules.md from the rules and their examples.
writeFileSync(new URL("../../../docs/lint-rules.md", import.meta.url), rulesPage());
