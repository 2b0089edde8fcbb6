import { sep } from "node:path";
import { labelled, textWidth } from "./margin.ts";
import type { Page } from "./page.ts";
import type { CallRecord, Played } from "./scenario.ts";
import { cutMiddle, firstLines } from "./text-layout.ts";
import type { PlainAnswer } from "./without-contract.ts";

/** How many lines of a tool's result are shown. */
export const RESULT_LINES = 4;

/** Shows one call: what was sent, what came back without the contract, and what with it. */
export function renderCall(record: CallRecord, ending: string, played: Played, page: Page): string {
  const { handled, repaired, without } = record;
  const answer = shortenPaths(handled.result.content, played);
  const rows = [labelled("model", sentText(record, played, page) + ending, page)];
  for (const plain of without) {
    const text = shortenPaths(plain.text, played);
    if (text !== answer) rows.push(renderPlain(plain, text, page));
  }
  if (handled.status === "executed") {
    const result = firstLines(answer, RESULT_LINES, textWidth(page));
    const label = record.isLimited === true ? "session" : "ran";
    rows.push(labelled(label, result, page, repaired ? "(JSON repaired)" : ""));
    return [...rows, ...stateRow(record, page)].join("\n");
  }
  rows.push(labelled("contract", answer, page, tokensOf(record)));
  rows.push(...stateRow(record, page));
  if (handled.status === "blocked") {
    rows.push(labelled("person", handled.escalation.summary, page));
  }
  return rows.join("\n");
}

/** How long what the model reads is. */
export function tokensOf({
  tokens,
  compactTokens,
}: Pick<CallRecord, "tokens" | "compactTokens">): string {
  return `(${tokens} tokens; compact style ${compactTokens})`;
}

function stateRow({ state }: CallRecord, page: Page): readonly string[] {
  return state === undefined ? [] : [labelled("state", state, page)];
}

/** The call as sent; secrets are hidden here only, so that a leak elsewhere would be seen. */
function sentText({ call }: CallRecord, { scenario }: Played, page: Page): string {
  const secrets = scenario.secrets ?? [];
  const text = `${call.name} ${String(call.arguments)}`.replaceAll("\n", "⏎");
  const shown = secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "<secret>"), text);
  return cutMiddle(shown, 2 * textWidth(page) - 24);
}

function renderPlain({ loop, ran, tokens }: PlainAnswer, text: string, page: Page): string {
  const parts = [...(ran ? ["it ran"] : []), ...(tokens > 0 ? [`${tokens} tokens`] : [])];
  const note = parts.length > 0 ? `(${parts.join("; ")})` : "";
  const shown = firstLines(text, RESULT_LINES, 3 * page.width);
  return labelled(loop === "plain" ? "without" : "lenient", shown, page, note);
}

/** Paths within the demo's own folders become relative. */
function shortenPaths(text: string, { scene }: Played): string {
  const folders = scene ? [scene.guarded.path, scene.plain.path] : [];
  return folders.reduce((shown, folder) => shown.replaceAll(folder + sep, ""), text);
}
