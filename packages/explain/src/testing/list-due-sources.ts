// Lists the kinds of tokens whose shape was compared with its source more than a year ago, or never.
import { dueSources, TOKEN_SOURCES } from "./token-sources.ts";

const due = dueSources(new Date());
const lines = due.map(([name, readOn]) => `${readOn.padEnd(10)}  ${name}\n`);
const sum = `${due.length} of ${Object.keys(TOKEN_SOURCES).length} kinds are to be read again.`;
// oxlint-disable-next-line no-console -- A command for maintainers.
console.log(`${lines.join("")}${sum}`);
