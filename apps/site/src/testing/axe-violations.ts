import axe, { type Result, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds wrong with a page in the light theme, and with its colors in the dark one. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // The theme follows in an event, and colors may fade.
    await page.waitForFunction(
      (isDark) =>
        document.documentElement.classList.contains("dark") === isDark &&
        document.getAnimations().every(({ playState }) => playState !== "running"),
      colorScheme === "dark",
    );
    const options: RunOptions = {
      resultTypes: ["violations"],
      ...(colorScheme === "dark" && { runOnly: ["color-contrast"] }),
    };
    const { violations } = await page.evaluate((settings) => {
      const { axe: injected } = globalThis as unknown as { axe: typeof axe };
      return injected.run(document, settings);
    }, options);
    found.push(...violations.flatMap((violation) => linesOf(colorScheme, violation)));
  }
  return found;
}

/** A line for each element. */
function linesOf(theme: string, { id, help, nodes }: Result): readonly string[] {
  return nodes.map(
    ({ target, failureSummary }) =>
      `${theme}, ${id}: ${help}\n${target.join(" ")}\n${failureSummary ?? ""}`,
  );
}
