import { oneInThree } from "@toolcontract/case-table/whole";
import { expect } from "vitest";
import { examplesOf, pagePaths } from "../../../../docs/fences.ts";
import { test } from "../testing/browser-test.ts";
import { linkPrograms } from "./playground-links.ts";
import { addressOf } from "./repository.ts";

/** The programs that the playground shows, with their pages. */
async function shownPrograms() {
  const links = await linkPrograms();
  return pagePaths().flatMap((path) =>
    examplesOf(path).flatMap(({ program, output }) => {
      const fragment = links.get(program);
      return fragment === undefined ? [] : [{ path, output, fragment }];
    }),
  );
}

test("the playground shows the programs of 13 error codes", async () => {
  const paths = (await shownPrograms()).map(({ path }) => path);
  // It cannot say why the model stopped (011), or call a tool that is not there (012), and a rule (016) is not text.
  const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15];
  expect(paths).toEqual(
    expected.map((code) => `docs/errors/VAL-${String(code).padStart(3, "0")}.md`),
  );
});

test("their pages lead to the message that they print", async ({ open }) => {
  const page = await open("/docs/errors/VAL-011.html");
  const link = page.getByRole("link", { name: "Try it in the playground" });
  await expect.poll(() => page.getByRole("main").count()).toBe(1);
  expect(await link.count()).toBe(0);
  for (const { path, output, fragment } of oneInThree(await shownPrograms())) {
    await page.goto(addressOf(path));
    await expect.poll(() => link.getAttribute("href")).toBe(`/playground/#${fragment}`);
    expect(await link.locator("xpath=../preceding-sibling::*[1]/pre").innerText()).toBe(output);
    await link.click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe(output);
  }
});
