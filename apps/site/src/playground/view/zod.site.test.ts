import { describe, expect } from "vitest";
import { type SiteFixtures, test } from "../../testing/browser-test.ts";
import { openPlayground, type PlaygroundPage } from "../../testing/playground-page.ts";

async function openWithZod(open: SiteFixtures["open"]): Promise<PlaygroundPage> {
  const playground = await openPlayground(open);
  await playground.page.getByRole("combobox", { name: "Written in" }).selectOption("zod");
  return playground;
}

const FAULTY = [
  ["a syntax error", "z.object({\n  a: z.string(,", /Line 2: .*This one works: const/],
  ["an unknown method", "z.oops()", /oops/],
  ["an error that it throws", "(() => { throw new Error('out of cheese') })()", /out of cheese/],
  ["no schema", "42", /Standard Schema/],
  ["nothing", "", /\S/],
  ["an import that is not there", 'import x from "other";\nexport default x;', /Standard Schema/],
] as const;

describe("a tool in zod", () => {
  test("is what was typed, with its refinements", async ({ open }) => {
    const { call, reads, tool, write } = await openWithZod(open);
    await write(
      tool,
      'z.object({ from: z.number(), to: z.number() }).refine((r) => r.from < r.to, { path: ["to"], message: "must be later" })',
    );
    await write(call, '{"from": 5, "to": "9"}');
    await reads(/\/to \(VAL-002\)/);
    await write(call, '{"from": 5, "to": 3}');
    await reads(/\/to \(VAL-0\d\d\)[^]*must be later/);
    await write(call, '{"from": 5, "to": 9}');
    await reads(/the tool runs/);
  });

  test("may be a module", async ({ open }) => {
    const { call, reads, tool, write } = await openWithZod(open);
    await write(
      tool,
      'import { z } from "zod";\n\nconst size = z.enum(["S", "M"]);\nexport default z.object({ size });\n',
    );
    await write(call, '{"size": "s"}');
    await reads(/\/size \(VAL-008\)[^]*use "S"/);
    await write(
      tool,
      'import { tool } from "ai";\n\nexport const book = tool({ inputSchema: z.object({ seats: z.int() }) });\n',
    );
    await reads(/\/seats \(VAL-001\)/);
  });

  test("that is faulty is explained, and the next one is used", async ({ open }) => {
    const { message, reads, tool, write } = await openWithZod(open);
    for (const [name, code, reason] of FAULTY) {
      const before = await message.textContent();
      await write(tool, code);
      const said = () => expect.poll(() => message.textContent(), { message: name });
      await said().not.toBe(before);
      await said().toMatch(reason);
      await write(tool, "z.object({ city: z.string() })");
      await reads(/\/city \(VAL-001\)/);
    }
  });
});
