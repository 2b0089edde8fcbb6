import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds wrong with a page, a line for each rule and element. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    return injected.run(document, { resultTypes: ["violations"] });
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${help}\n${target.join(" ")}\n${failureSummary ?? ""}`,
    ),
  );
}
