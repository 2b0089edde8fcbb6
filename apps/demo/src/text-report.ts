import { renderMetrics } from "./metrics-table.ts";
import type { Page } from "./page.ts";
import type { Played } from "./scenario.ts";
import { summarize } from "./summary.ts";
import type { Workspace } from "./workspace.ts";

/** Renders what follows the scenes: counts, tokens, the verdict, and where the files are. */
export function renderEnd(
  scenes: readonly Played[],
  workspace: Workspace,
  seconds: number,
  page: Page,
): string {
  const { refused, ranWithout, tokens, passed, failed, checks } = summarize(scenes);
  const snapshots = scenes.flatMap(({ scene }) => (scene ? [scene.metrics] : []));
  const verdict = `${passed} passed, ${failed} failed (${checks} assertions, ${seconds.toFixed(1)} s)`;
  return [
    "",
    page.paint("bold", "── metrics ".padEnd(page.width, "─")),
    renderMetrics(snapshots, page),
    "",
    `Rejected calls: ${refused}. Without the contract, ${ranWithout} of them ran (plain or lenient loop, AI SDK, or LangChain).`,
    `Tokens of those answers: ${tokens.standard} with the contract, ${tokens.compact} in its compact style, ${tokens.without} without it.`,
    "",
    page.paint(failed === 0 ? "green" : "red", verdict),
    "",
    "The files are kept as each side left them:",
    `  ${workspace.guarded.path}`,
    `  ${workspace.plain.path}`,
    `Remove them with: rm -r ${workspace.root}`,
  ].join("\n");
}
