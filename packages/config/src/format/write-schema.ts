import { writeFileSync } from "node:fs";
import { fileSchema } from "./file-schema.ts";

// Writes schema.json for editors from the table of options.
const target = new URL("../../schema.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(fileSchema(true), null, 2)}\n`);
