// Writes docs/lint and the table of docs/lint.md from the rules and their examples: `pnpm pages`, then `oxfmt docs`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { RULES } from "../rules/index.ts";
import { rulePage, ruleRows } from "./index.ts";

const DOCS = new URL("../../../../docs/", import.meta.url);
const GUIDE = new URL("lint.md", DOCS);
const FOLDER = new URL("lint/", DOCS);

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const { name } of RULES) writeFileSync(new URL(`${name}.md`, FOLDER), rulePage(name));

const rows = ruleRows().map((cells) => `| ${cells.join(" | ")} |\n`);
const guide = readFileSync(GUIDE, "utf8");
writeFileSync(
  GUIDE,
  guide.replace(/(^\| rule .*\n\| -.*\n)(?:\|.*\n)+/m, (_, head: string) => head + rows.join("")),
);
