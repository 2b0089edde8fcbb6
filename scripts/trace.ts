// Which requirements have no test? Reads the titles of all tests and the `name`/`title` of table rows.
import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

const REQUIREMENTS = [...range("FR", 66), ...range("NFR", 20), ...range("AC", 66)];
const TEST_FUNCTIONS = new Set(["describe", "it", "test"]);
const NOT_RUN = new Set(["skip", "todo"]);

// An id in full; "FR-001…008" and "FR-001-FR-008" name no requirement.
const RANGE_SIGN = String.raw`\s*(?:…|\.{2,}|[–—-])\s*`;
const LITERAL_ID = new RegExp(
  String.raw`(?<![A-Za-z]|\d${RANGE_SIGN})(?:FR|NFR|AC)-\d{3}(?!\d|${RANGE_SIGN}(?:[A-Z]+-)?\d{3})`,
  "g",
);

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

function literalText(node: ts.Node | undefined): string {
  if (node === undefined) return "";
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => ` ${span.literal.text}`).join("");
  }
  if (ts.isBinaryExpression(node)) return literalText(node.left) + literalText(node.right);
  return "";
}

function collectTitles(node: ts.Node, titles: string[]): void {
  if (ts.isCallExpression(node)) {
    const [name = "", ...modifiers] = calleeParts(node.expression);
    if (TEST_FUNCTIONS.has(name)) {
      if (modifiers.some((modifier) => NOT_RUN.has(modifier))) return;
      titles.push(literalText(node.arguments[0]));
    }
  }
  if (ts.isPropertyAssignment(node) && /^["']?(?:name|title)["']?$/.test(node.name.getText())) {
    titles.push(literalText(node.initializer));
  }
  ts.forEachChild(node, (child) => collectTitles(child, titles));
}

function testedIds(): Set<string> {
  const titles: string[] = [];
  const files = globSync("{packages,internal,apps,bench,docs}/**/*.{test,test-d}.ts", {
    exclude: (path) => path.includes("node_modules"),
  });
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    collectTitles(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), titles);
  }
  return new Set(titles.flatMap((title) => title.match(LITERAL_ID) ?? []));
}

const tested = testedIds();
const untested = REQUIREMENTS.filter((id) => !tested.has(id));
for (const id of untested) console.log(`${id}  no test`);
console.log(`${REQUIREMENTS.length - untested.length} of ${REQUIREMENTS.length} have a test`);
process.exitCode = untested.length === 0 ? 0 : 1;
