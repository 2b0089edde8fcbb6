// Lists the kinds of tokens whose shape was compared with its source more than a year ago, or never.
import { dueSources, TOKEN_SOURCES } from "../packages/explain/src/testing/token-sources.ts";

const due = dueSources(new Date());
for (const [name, readOn] of due) console.log(`${readOn.padEnd(10)}  ${name}`);
console.log(`${due.length} of ${Object.keys(TOKEN_SOURCES).length} kinds are to be read again.`);
