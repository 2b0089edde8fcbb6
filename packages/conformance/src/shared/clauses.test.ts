import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLAUSES } from "./index.ts";

test("the page of the specification has every clause, word by word", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/conformance.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\|/gm)];
  expect(rows.map(([, id, sentence]) => ({ id, sentence }))).toEqual(
    CLAUSES.map(({ id, sentence }) => ({ id, sentence })),
  );
});
