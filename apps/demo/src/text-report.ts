import type { Output } from "./command-line.ts";
import { renderMetrics } from "./metrics-table.ts";
import type { Page } from "./page.ts";
import type { Played } from "./scenario.ts";
import { summarize } from "./summary.ts";
import type { Workspace } from "./workspace.ts";

/** The title of the scenes that are one line each. */
export function renderOtherTitle(count: number, page: Page): string {
  return page.paint("bold", `── ${count} more, one line each `.padEnd(page.width, "─"));
}

/** How to read more than the featured scenes. */
export function renderWays(): string {
  return [
    "",
    "One of them whole: npx -y pnpm@12 demo --scenario misspelt-key",
    "All of them whole: npx -y pnpm@12 demo --all",
  ].join("\n");
}

/** What a run was, besides its scenes. */
interface Run {
  readonly workspace: Workspace;
  readonly seconds: number;
  readonly output: Output;
}

/** Renders what follows the scenes: counts if all are whole, tokens, the verdict, and where the files are. */
export function renderEnd(
  scenes: readonly Played[],
  { workspace, seconds, output }: Run,
  page: Page,
): string {
  const { refused, ranWithout, tokens, passed, failed, checks } = summarize(scenes);
  const snapshots = scenes.flatMap(({ scene }) => (scene ? [scene.metrics] : []));
  const verdict = `${passed} passed, ${failed} failed (${checks} assertions, ${seconds.toFixed(1)} s)`;
  const metrics = [
    "",
    page.paint("bold", "── metrics ".padEnd(page.width, "─")),
    renderMetrics(snapshots, page),
  ];
  return [
    ...(output === "whole" ? metrics : []),
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
