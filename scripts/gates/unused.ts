// Knip, once the programs of the documentation and those to start from are where it reads them: they are what uses most of its dependencies.
import { examplesOf, pagePaths, startingPoints, writePrograms } from "../../docs/fences.ts";
import { runCommand } from "./run.ts";

writePrograms("programs", [...pagePaths().flatMap(examplesOf), ...startingPoints()]);
const { ok } = await runCommand("knip --no-config-hints");
process.exitCode = ok ? 0 : 1;
