import { writeFileSync } from "node:fs";
import { fileSchema } from "./file-schema.ts";

// Writes schema.json for editors from the table of options.
const schemaFile = new URL("../../schema.json", import.meta.url);
writeFileSync(schemaFile, `${JSON.stringify(fileSchema(true), null, 2)}\n`);
