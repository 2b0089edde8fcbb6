// `pnpm house [--names] [--circles]`: how large the product is, what goes in circles, and which names are defined twice, and where.
import { parseArgs } from "node:util";
import { circlesOf } from "./circles.ts";
import { type SourceFile, readSources } from "./source-files.ts";

const { values: flags } = parseArgs({
  options: { names: { type: "boolean" }, circles: { type: "boolean" } },
});

const product = readSources("packages/*/src");
const rest = readSources("apps/*/src", "bench/src", "internal/*/src", "scripts");

print("product lines", linesOf(product));
for (const [name, files] of byPackage(product)) {
  print(`  ${name}`, `${linesOf(files).padStart(7)} in ${files.length} files`);
}
print("lines of apps, bench, internal and scripts", linesOf(rest));
print("circles in packages, types included", countOf(circlesOf(product)));
print("circles in apps, bench, internal and scripts", countOf(circlesOf(rest)));
const repeated = repeatedNames(product);
print("names defined more than once", String(repeated.length));

if (flags.circles === true) {
  for (const circle of [...circlesOf(product), ...circlesOf(rest)])
    console.log(circle.join("\n  "));
}
if (flags.names === true) {
  for (const [name, paths] of repeated) console.log(`${paths.length} ${name}: ${paths.join(" ")}`);
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(46)} ${value.padStart(7)}`);
}

function linesOf(files: readonly SourceFile[]): string {
  return files.reduce((sum, { lines }) => sum + lines, 0).toLocaleString("en");
}

function countOf(circles: readonly (readonly string[])[]): string {
  return `${circles.length} (${circles.flat().length} files)`;
}

function byPackage(files: readonly SourceFile[]): ReadonlyMap<string, readonly SourceFile[]> {
  const folders = [...new Set(files.map(({ path }) => path.split("/")[1] ?? ""))];
  return new Map(
    folders.map((name) => [name, files.filter(({ path }) => path.startsWith(`packages/${name}/`))]),
  );
}

/** The names with definitions in several files, most frequent first. */
function repeatedNames(
  files: readonly SourceFile[],
): readonly (readonly [name: string, paths: readonly string[]])[] {
  const definedIn = new Map<string, string[]>();
  for (const { path, names } of files) {
    for (const name of new Set(names)) definedIn.set(name, [...(definedIn.get(name) ?? []), path]);
  }
  return [...definedIn]
    .filter(([, paths]) => paths.length > 1)
    .toSorted(([, a], [, b]) => b.length - a.length);
}
