import { writeFileSync } from "node:fs";
import { agentSchema } from "./agent-schema.ts";
import { fileSchema } from "./file-schema.ts";

// Writes schema.json and agent-schema.json for editors from the tables of options.

const SCHEMAS = { "schema.json": fileSchema(true), "agent-schema.json": agentSchema(true) };

for (const [name, schema] of Object.entries(SCHEMAS)) {
  const target = new URL(`../../${name}`, import.meta.url);
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
}
