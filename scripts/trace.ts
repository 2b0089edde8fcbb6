// Checks docs/requirements.md both ways: every requirement has a line, and every line names a test that exists and runs.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

const PAGE = "docs/requirements.md";
const REQUIREMENTS = new Set([
  ...range("FR", 66),
  ...range("NFR", 20),
  ...range("AC", 66),
  ...range("GR", 19),
  ...range("SC", 115),
]);
const ROW = /^\| *([A-Z]+-\d[^|]*?) *\|([^|]*)\| *`([^`|]+)` *\|$/;
const TEST_FUNCTIONS = new Set(["describe", "it", "test"]);
// On a machine that skips, `skipIf` and `runIf` prove nothing.
const NOT_RUN = new Set(["skip", "skipIf", "runIf", "todo"]);

function range(prefix: string, last: number): string[] {
  return Array.from({ length: last }, (_, n) => `${prefix}-${String(n + 1).padStart(3, "0")}`);
}

/** The parts of `test.each(rows)`, `it.concurrent`, …: `["test", "each"]`. */
function calleeParts(callee: ts.Expression): readonly string[] {
  if (ts.isIdentifier(callee)) return [callee.text];
  if (ts.isCallExpression(callee)) return calleeParts(callee.expression);
  if (ts.isTaggedTemplateExpression(callee)) return calleeParts(callee.tag);
  if (ts.isPropertyAccessExpression(callee)) {
    return [...calleeParts(callee.expression), callee.name.text];
  }
  return [];
}

/** The titles of tests, of their groups, and of rows with a `name` or `title`, each below those of its groups. */
function collectTitles(node: ts.Node, groups: readonly string[], titles: string[]): void {
  let inner = groups;
  if (ts.isCallExpression(node)) {
    const [name = "", ...modifiers] = calleeParts(node.expression);
    if (TEST_FUNCTIONS.has(name)) {
      if (modifiers.some((modifier) => NOT_RUN.has(modifier))) return;
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) {
        inner = [...groups, title.text];
        titles.push(inner.join(" > "));
      }
    }
  }
  if (
    ts.isPropertyAssignment(node) &&
    /^["']?(?:name|title)["']?$/.test(node.name.getText()) &&
    ts.isStringLiteralLike(node.initializer)
  ) {
    titles.push([...groups, node.initializer.text].join(" > "));
  }
  ts.forEachChild(node, (child) => collectTitles(child, inner, titles));
}

// The page names a case of the table as it names a check of the kit.
const SHORT_NAMES: Readonly<Record<string, string>> = { "case-table": "conformance" };

/** The titles of each folder that has tests, by its short name: `core`, `conformance`, `docs`. */
function titlesByPackage(): Map<string, string[]> {
  const files = globSync(
    [
      "{packages,internal,apps,bench,docs}/**/*.{test,test-d}.ts",
      "internal/case-table/src/{cases,sessions/cases}/*.ts",
    ],
    { exclude: (path) => path.includes("node_modules") },
  );
  const found = new Map<string, string[]>();
  for (const file of files) {
    const [top = "", next = ""] = file.split(/[/\\]/);
    const folder = ["packages", "internal", "apps"].includes(top) ? next : top;
    const name = SHORT_NAMES[folder] ?? folder;
    const titles = found.get(name) ?? [];
    found.set(name, titles);
    const text = readFileSync(file, "utf8");
    collectTitles(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), [], titles);
  }
  return found;
}

/** The problem with a reference such as `core: describe > title`; undefined if one test has that title. */
function complaint(reference: string): string | undefined {
  const [, name = "", title = ""] = /^([\w.-]+): (.+)$/.exec(reference) ?? [];
  const hits = (titles.get(name) ?? []).filter(
    (path) => path === title || path.endsWith(` > ${title}`),
  );
  if (hits.length === 1) return undefined;
  return hits.length === 0 ? "no test that runs has this title" : `${hits.length} tests have it`;
}

const titles = titlesByPackage();
const listed = new Set<string>();
const faults: string[] = [];
for (const [index, line] of readFileSync(PAGE, "utf8").split("\n").entries()) {
  const report = (fault: string) => faults.push(`${PAGE}:${index + 1}: ${fault}`);
  const ids = line.match(/\b(?:FR|NFR|AC|GR|SC)-\d+/g) ?? [];
  if (ids.length === 0) continue;
  const [, cell = "", requirement = "", reference = ""] = ROW.exec(line) ?? [];
  if (cell !== ids.join(", ") || requirement.trim() === "") {
    report("expected | ids | requirement | `package: title` |");
    continue;
  }
  for (const id of ids) {
    if (!REQUIREMENTS.has(id)) report(`${id}: no such requirement`);
    if (listed.has(id)) report(`${id}: listed before`);
    listed.add(id);
  }
  const problem = complaint(reference);
  if (problem !== undefined) report(`${ids.join(", ")}: ${reference}: ${problem}`);
}
for (const id of REQUIREMENTS) if (!listed.has(id)) faults.push(`${PAGE}: ${id}: no line`);

for (const fault of faults) console.log(fault);
console.log(`${listed.size} requirements listed, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
