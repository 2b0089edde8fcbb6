// Prints how many values and types each package exports: `pnpm api --count`. What they are is in docs/api.
import { countsOf } from "../docs/api-report.ts";
import { PACKAGES, publicEntries, readExports } from "../docs/public-surface.ts";

const exportsOf = readExports(publicEntries());
const rows = PACKAGES.map((folder) => ({ package: folder, ...countsOf(folder, exportsOf) }));
console.table(rows);
const sum = (key: string): number =>
  rows.reduce((all, row) => all + Number((row as Readonly<Record<string, unknown>>)[key]), 0);
console.log(
  `${sum("values")} public values, ${sum("types")} types; ${sum("values between packages")} values between packages`,
);
