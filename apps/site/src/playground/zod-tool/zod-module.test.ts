import { describe, expect, test } from "vitest";
import { zodModule } from "./zod-module.ts";

const SCRIPTS = ["https://example.com/zod.js", "https://example.com/worker.js"];

describe("the source of a worker that defines a tool in zod", () => {
  test.each([
    ["an expression", "z.string()"],
    ["a semicolon at its end", "z.string();\n"],
    ["a comment at its end", "z.string() // the path"],
    ["an import, which is not needed", 'import { z } from "zod";\nz.string()'],
    ["the namespace", "import * as z from 'zod'\n\nz.string()"],
    ["another entry", 'import * as z from "zod/v4";\nz.string()'],
    ["a module", 'import { z } from "zod";\nconst name = z.string();\nexport default name;'],
    ["a module that is indented", "  const name = z.string();\n  export default name;\n"],
  ])("%s", (_, code) => {
    const made = zodModule(code, SCRIPTS);
    const imports = SCRIPTS.map((script) => `import "${script}"; `).join("");
    expect(made.slice(0, imports.length)).toBe(imports);
    const body = made.slice(imports.length);
    const scope: { __tool?: unknown } = {};
    const z = { string: () => "a string" };
    // oxlint-disable-next-line typescript/no-implied-eval -- It runs as a browser would run it.
    new Function("z", "globalThis", body)(z, scope);
    expect(scope.__tool).toBe("a string");
  });

  test("keeps the numbers of the lines", () => {
    const code = 'import { z } from "zod";\n\nexport default z.oops();';
    expect(zodModule(code, SCRIPTS).split("\n")).toHaveLength(3);
    expect(zodModule(code, SCRIPTS).split("\n")[2]).toContain("z.oops()");
  });

  test("leaves other imports: the browser says that they cannot be resolved", () => {
    expect(zodModule('import { x } from "other";\nexport default x;', SCRIPTS)).toContain(
      '"other"',
    );
  });
});
