import { oneInThree } from "@toolcontract/case-table/whole";
import { describe, expect } from "vitest";
import { type SiteFixtures, test } from "../../testing/browser-test.ts";
import {
  BREAKING,
  ENDLESS,
  FORGING,
  type HostileCode,
  onPort,
  REFUSED,
  SAYING,
  tryAll,
} from "../../testing/hostile-code.ts";
import { openPlayground, type PlaygroundPage } from "../../testing/playground-page.ts";
import { EMPTY_STATE, encodeLink } from "../state/index.ts";

const RUN = "Run the code of this link";

/** What a link to the playground ends with that holds code. */
async function fragmentOf(code: string, call = "{}"): Promise<string> {
  const link = await encodeLink({ ...EMPTY_STATE, tool: { language: "zod", text: code }, call });
  if ("fault" in link) throw new Error(link.fault);
  return link.fragment;
}

/** Opens a link that holds code, as somebody else wrote it. */
async function openCode(open: SiteFixtures["open"], code: string): Promise<PlaygroundPage> {
  return openPlayground(open, { fragment: await fragmentOf(code) });
}

/** Opens a link and agrees to run its code. */
async function runCode(open: SiteFixtures["open"], code: string): Promise<PlaygroundPage> {
  const playground = await openCode(open, code);
  await playground.button(RUN).click();
  return playground;
}

/** Runs one code after the other as links that one page is led to, each of which finds the page usable. */
async function runAll(
  open: SiteFixtures["open"],
  rows: readonly HostileCode[],
  then: (playground: PlaygroundPage, name: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const playground = await openPlayground(open);
  const { button, message, page } = playground;
  for (const [name, code, said, call] of oneInThree(rows)) {
    const fragment = await fragmentOf(code, call);
    await page.evaluate((hash) => (location.hash = hash), fragment);
    await expect.poll(() => message.textContent(), { message: name }).toMatch(/has not run/);
    await button(RUN).click();
    await then(playground, name);
    await expect.poll(() => message.textContent(), { message: name }).toMatch(said);
  }
  await expectUsable(playground);
}

/** The page still answers, and runs another tool. */
async function expectUsable({ page, reads, tool, write }: PlaygroundPage): Promise<void> {
  expect(await page.title()).toBe("Playground | Toolcontract");
  await write(tool, "z.object({ city: z.string() })");
  await reads(/\/city \(VAL-001\)/);
}

describe("code in a link asks first", () => {
  test("and runs once the reader agrees", async ({ open }) => {
    const playground = await openCode(open, "z.object({ city: z.string() })");
    const { button, message, page, reads, tool } = playground;
    await reads(/^The code of this link has not run\.$/);
    expect(await tool.innerText()).toContain("city");
    expect(await page.locator("iframe").count()).toBe(0);
    await button(RUN).click();
    await reads(/\/city \(VAL-001\)/);
    expect(await message.textContent()).toContain("attempt 1/3");
    expect(await button(RUN).count()).toBe(0);
  });

  test("also after it was edited, and in a link that is opened later", async ({ open }) => {
    const { button, page, reads, tool, write } = await openCode(
      open,
      "z.object({ a: z.string() })",
    );
    await write(tool, "z.object({ b: z.string() })");
    await reads(/has not run/);
    expect(await page.locator("iframe").count()).toBe(0);
    await button(RUN).click();
    await reads(/\/b \(VAL-001\)/);
    const other = await fragmentOf("z.object({ c: z.string() })");
    await page.evaluate((hash) => (location.hash = hash), other);
    await reads(/has not run/);
    await page.goBack();
    await reads(/\/b \(VAL-001\)/);
  });

  test("but not an example, or what was typed here", async ({ open }) => {
    const { page, reads } = await openPlayground(open, { fragment: "example=zod-refine" });
    await reads(/VAL-0/);
    await page.reload();
    await reads(/VAL-0/);
  });
});

describe("code cannot speak for the contract", () => {
  test("where it answers in place of the engine", async ({ open }) => {
    await runAll(open, FORGING);
  });

  test("a reply after its answer is not read, and the next call is answered", async ({ open }) => {
    const { call, reads, write } = await runCode(
      open,
      onPort("answer(message); setTimeout(() => answer(message), 10)"),
    );
    // The second answer may come before the page has shown the first.
    await reads(/^Valid|answered in place/);
    await write(call, "[]");
    await reads(/VAL-002|answered in place/);
  });

  test("where it says something: that stands in the contract's frame", async ({ open }) => {
    await runAll(open, SAYING, async ({ message }, name) => {
      const shown = () => message.textContent();
      await expect.poll(shown, { message: name }).toMatch(/^Validation failed for tool '/);
      // Of a message, only places and codes are elements.
      const others = message.locator(":not(.pg-place, a[href^='/docs/errors/'])");
      expect(await others.count()).toBe(0);
    });
  });
});

describe("code that breaks its own worker leaves the page as it is", () => {
  test("once it has ended", async ({ open }) => {
    await runAll(open, BREAKING);
  });

  test("once it is stopped, if it does not end", async ({ open }) => {
    await runAll(open, ENDLESS, async ({ button, message, page }, name) => {
      await button("Stop").click();
      await expect.poll(() => message.textContent(), { message: name }).toMatch(/^Stopped/);
      expect(await page.locator("iframe").count()).toBe(0);
    });
  });
});

describe("code reaches nothing", () => {
  test("of the site or the network", async ({ expectRefusals, open, origin }) => {
    expectRefusals();
    const { message, reads } = await runCode(open, tryAll(origin));
    await reads(/^Valid/);
    const [, shown = ""] = (await message.textContent())?.split("\n\n") ?? [];
    const errors = Object.entries(REFUSED).map(([name, [, error]]) => [name, error]);
    expect(JSON.parse(shown)).toEqual({
      origin: "null",
      ...Object.fromEntries(errors),
    });
  });

  test("by a channel to the page", async ({ open }) => {
    const { page, reads, button } = await openCode(
      open,
      'const channel = new BroadcastChannel("playground"); channel.postMessage(1); export default z.any();',
    );
    await page.evaluate(() => {
      const channel = new BroadcastChannel("playground");
      channel.addEventListener("message", () => (document.title = "heard"));
    });
    await button(RUN).click();
    await reads(/^Valid|^Tool: /);
    expect(await page.title()).toBe("Playground | Toolcontract");
  });
});
