// Knip, once the programs of the documentation are where it reads them: they are what uses most of its dependencies.
import { examplesOf, pagePaths, writePrograms } from "../../docs/fences.ts";
import { runCommand } from "./run.ts";

writePrograms("programs", pagePaths().flatMap(examplesOf));
const { ok } = await runCommand("knip --no-config-hints");
process.exitCode = ok ? 0 : 1;
