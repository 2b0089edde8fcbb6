import { writeFileSync } from "node:fs";
import { agentSchema } from "./agent-schema.ts";

// Writes agent-schema.json for editors from the tables of options.
const target = new URL("../../agent-schema.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(agentSchema(true), null, 2)}\n`);
