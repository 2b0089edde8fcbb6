// The whole comparison: node main.ts [part of a subject]. Leaves a table in .artifacts/mcp-conformance.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ComparedRow, compareRow, faultsOf } from "./suite/compare.ts";
import { MATRIX } from "./suite/matrix.ts";
import { markdownTable } from "./suite/table.ts";

const FOLDER = fileURLToPath(new URL("../../../.artifacts/mcp-conformance/", import.meta.url));

// Exiting ends the background processes too.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const [wanted = ""] = process.argv.slice(2);
const rows: ComparedRow[] = [];
for (const row of MATRIX.filter(({ subject }) => subject.includes(wanted))) {
  const compared = await compareRow(row);
  rows.push(compared);
  console.log(markdownTable([compared]).split("\n").at(-1));
}
const faults = rows.flatMap(faultsOf);
const table = markdownTable(rows);
await mkdir(FOLDER, { recursive: true });
await writeFile(`${FOLDER}table.md`, `${table}\n`);
await writeFile(`${FOLDER}table.json`, `${JSON.stringify({ rows, faults }, undefined, 2)}\n`);
console.log(`\n${table}\n\n${faults.join("\n") || "Nothing is lost."}`);
process.exitCode = faults.length === 0 ? 0 : 1;
