import { describe, expect, test } from "vitest";
import { toolModule } from "./tool-module.ts";

const BEGIN = "export default ";

describe("the module of a tool in zod", () => {
  test.each([
    ["an expression", "z.string()"],
    ["a semicolon at its end", "z.string();\n"],
    ["a comment at its end", "z.string() // the path"],
    ["an import, which is not needed", 'import { z } from "zod";\nz.string()'],
    ["the namespace", "import * as z from 'zod'\n\nz.string()"],
    ["another entry", 'import * as z from "zod/v4";\nz.string()'],
    ["a module", 'import { z } from "zod";\nconst name = z.string();\nexport default name;'],
    ["a declaration", "const path = z.string();"],
    ["a declaration that is exported", "export const path = z.string();"],
    ["several, the last of which is the tool", "const a = 1;\nconst path = z.string();\n"],
    ["one after a comment", "// the path\n/* of\nit */ \nlet path = z.string();"],
    [
      "one with a function in it",
      "const path = (() => {\n  const inner = 1;\n  return z.string();\n})();",
    ],
    ["a tool of the AI SDK", 'import { tool } from "ai";\nexport const path = z.string();'],
    ["a module that is indented", "  const name = z.string();\n  export default name;\n"],
  ])("%s", (_, code) => {
    // A function has no exports.
    const body = toolModule(code).replace(BEGIN, "return ").replaceAll("export const", "const");
    // oxlint-disable-next-line typescript/no-implied-eval -- It runs as a browser would run it.
    const run = new Function("z", body) as (z: unknown) => unknown;
    expect(run({ string: () => "a string" })).toBe("a string");
  });

  test("keeps the numbers of the lines", () => {
    const code = 'import { z } from "zod";\n\nexport default z.oops();';
    expect(toolModule(code).split("\n")).toEqual(["", "", "export default z.oops();"]);
  });

  test("keeps other imports: the browser says that they cannot be resolved", () => {
    expect(toolModule('import { x } from "other";\nexport default x;')).toContain('"other"');
  });
});
