import { describe, expect } from "vitest";
import { badCallOfReadme, readPage } from "../../../../docs/fences.ts";
import { test } from "../testing/browser-test.ts";

const SCREEN = { width: 1440, height: 900 };

describe("the first screen", () => {
  test("shows the whole message, frameworks, an install line and what it is", async ({ open }) => {
    const page = await open("/", { viewport: SCREEN });
    const message = page.locator(".is-contract pre");
    expect(await message.textContent()).toBe(badCallOfReadme().contract);
    const seen = [
      message,
      page.getByRole("heading", { level: 1 }),
      page.getByRole("link", { name: "Vercel AI SDK" }).first(),
      page.getByText("npm install @toolcontract/core"),
    ];
    for (const one of seen) {
      const { y = Infinity, height = 0 } = (await one.first().boundingBox()) ?? {};
      expect(y + height).toBeLessThan(SCREEN.height);
    }
    const hidden = await message.evaluate((pre) => pre.scrollHeight - pre.clientHeight);
    expect(hidden).toBeLessThanOrEqual(0);
  });

  test("shows what each framework answers, whole and without folders", async ({ open }) => {
    const page = await open("/", { viewport: SCREEN });
    const today = page.locator(".is-today pre");
    expect(await today.textContent()).toContain(badCallOfReadme().today.split("\n")[0]);
    for (const [name, words] of [
      ["LangChain", "Error invoking tool 'write_file'"],
      ["MCP SDK", "Input validation error"],
      ["AI SDK", '"message": "Unrecognized key'],
    ] as const) {
      await page.locator(".is-today").getByRole("button", { name, exact: true }).click();
      await expect.poll(() => today.textContent()).toContain(words);
      expect(await today.textContent()).not.toMatch(/\.pnpm|file:\/\/\/(?!app\/)/);
    }
  });
});

test("each framework has its lines, and the recording is there", async ({ open }) => {
  const page = await open("/", { viewport: SCREEN });
  const hosts = page.locator(".landing-hosts");
  for (const [name, line] of [
    ["LangChain", "toolContractMiddleware({ maxAttempts: 3 })"],
    ["your MCP server", "withContract(server).connect"],
    ["Vercel AI SDK", "const guarded = withContract({ tools: { weather } });"],
  ] as const) {
    await hosts.getByRole("button", { name, exact: true }).click();
    await expect.poll(() => hosts.innerText()).toContain(line);
    expect(await hosts.locator(".landing-line pre").innerText()).toMatch(
      /^npm install @toolcontract/,
    );
  }
  const recording = page.locator(".landing-demo img");
  expect(
    await page.getByRole("img", { name: "One call with three faults, a card number" }).count(),
  ).toBe(1);
  await recording.scrollIntoViewIfNeeded();
  await expect
    .poll(() => recording.evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBe(928);
});

test("on a phone the message comes before what is read today, and buttons are large", async ({
  open,
}) => {
  const page = await open("/", { viewport: { width: 390, height: 844 } });
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
  expect(await top(".is-contract")).toBeLessThan(await top(".is-today"));
  for (const button of await page.locator(".landing button").all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});

test("numbers are those of the benchmarks, with their command", async ({ open }) => {
  const page = await open("/");
  const rows = await page.getByRole("row").allInnerTexts();
  expect(readPage("docs/compared.md")).toMatch(/\| AI SDK 7 +\| JSON Schema +\| 100\.0 % /);
  expect(rows.some((row) => /^AI SDK 7, JSON Schema\s+100 %/.test(row))).toBe(true);
  expect(await page.getByText("bench:recovery").count()).toBeGreaterThan(0);
  await page.getByRole("heading", { name: "When not to use it" }).waitFor();
});
