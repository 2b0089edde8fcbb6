// The types of the repository, of every program in the documentation and of those to start from: as one project, since each would check the
// libraries and the packages again.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { startingPoints, writePrograms } from "../../docs/fences.ts";
import { hoverPrograms, pagePrograms } from "../../docs/programs.ts";
import { runCommand } from "./run.ts";

const ROOT = resolve(import.meta.dirname, "../..");
// Three lines on hover leave names unused.
const UNUSED = /\/hover-[^/]*error TS(?:6133|6192|6196|6198):/;
const FEWEST = 100;

const programs = writePrograms("types", [
  ...pagePrograms(),
  ...hoverPrograms(),
  ...startingPoints(),
]);
const [first = ""] = programs;
if (programs.length < FEWEST) throw new Error(`Only ${programs.length} programs were found`);
const config = join(dirname(first), "tsconfig.json");
const toRoot = relative(dirname(config), ROOT);
const { include, exclude } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
};
const settings = {
  extends: join(toRoot, "tsconfig.json"),
  compilerOptions: { jsx: "react-jsx" },
  include: [
    "*.ts",
    "*.tsx",
    // A path of a setting counts from its own file.
    ...include.map((path) => join(toRoot, path)),
  ],
  exclude: exclude.map((path) => (path.startsWith("**") ? path : join(toRoot, path))),
};
writeFileSync(config, JSON.stringify(settings));
const { ok, stdout, output } = await runCommand(
  `tsc --singleThreaded --pretty false -p ${config}`,
  { keepsOutput: true },
);
const errors = stdout.split("\n").filter((line) => line !== "" && !UNUSED.test(line));
console.log(errors.join("\n"));
if (!ok && stdout === "") console.log(output);
process.exitCode = errors.length > 0 || (!ok && stdout === "") ? 1 : 0;
