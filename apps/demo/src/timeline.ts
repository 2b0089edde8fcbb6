import type { Assertion } from "./assertions.ts";
import { renderCall, tokensOf } from "./call-rows.ts";
import type { Page } from "./page.ts";
import type { Played, TurnRecord } from "./scenario.ts";
import { labelled } from "./margin.ts";
import { cutMiddle, wrap } from "./text-layout.ts";

const NAME_WIDTH = 24;

/** Renders what happened in a scenario, turn by turn, and its assertions. */
export function renderScene(played: Played, place: string, page: Page): string {
  const { scenario, scene, assertions } = played;
  const title = `── ${place} · ${scenario.name} `;
  return [
    page.paint("bold", title.padEnd(page.width, "─")),
    ...wrap(scenario.story, page.width),
    ...(scene?.turns ?? []).map((turn, index) => renderTurn(turn, index + 1, played, page)),
    ...renderResults(played, page),
    ...(scene?.pages ?? []).map(
      ({ title: name, text }) => `\n${page.paint("bold", name)}\n${text}`,
    ),
    "",
    ...assertions.map((assertion) => renderAssertion(assertion, page)),
  ].join("\n");
}

/** Renders a scenario as its verdict, name and title; what failed follows. */
export function renderLine({ scenario, failures }: Played, page: Page): string {
  const mark = markOf(failures.length === 0, page);
  const head = scenario.name.padEnd(NAME_WIDTH);
  const [first = "", ...rest] = wrap(scenario.title, page.width - NAME_WIDTH - 4);
  return [
    `  ${mark} ${head}${first}`,
    ...rest.map((line) => " ".repeat(NAME_WIDTH + 4) + line),
    ...failures.map((failure) => renderAssertion(failure, page).replaceAll(/^/gm, "  ")),
  ].join("\n");
}

function renderTurn(turn: TurnRecord, number: number, played: Played, page: Page): string {
  const { learned = [], finishReason, says } = turn.message;
  const reading = learned.length > 0 ? `, having read: ${learned.join(" · ")}` : "";
  const heading = wrap(`Turn ${number}${reading}`, page.width);
  const ending = finishReason === "length" ? " ✂ the output ends here" : "";
  const last = turn.calls.at(-1);
  return [
    "",
    ...heading.map((line) => page.paint("bold", line)),
    ...(turn.request === undefined ? [] : [labelled("session", turn.request, page)]),
    ...turn.calls.map((call) => renderCall(call, call === last ? ending : "", played, page)),
    ...(says === undefined ? [] : [labelled("model", `“${says}”`, page)]),
    ...(turn.answer === undefined
      ? []
      : [labelled("contract", turn.answer.text, page, tokensOf(turn.answer))]),
  ].join("\n");
}

function renderResults({ scene }: Played, page: Page): readonly string[] {
  if (!scene?.results) return [];
  const { guarded, plain } = scene.results;
  return [
    "",
    page.paint("bold", "The application gets"),
    labelled("without", plain, page),
    labelled("session", guarded, page),
  ];
}

function renderAssertion({ claim, holds, found }: Assertion, page: Page): string {
  const mark = markOf(holds, page);
  const instead = found === undefined ? "" : `: ${cutMiddle(found, 400)}`;
  const [first = "", ...rest] = wrap(`${claim}${instead}`, page.width - 4);
  return [`  ${mark} ${first}`, ...rest.map((line) => `    ${line}`)].join("\n");
}

function markOf(holds: boolean, page: Page): string {
  return page.paint(holds ? "green" : "red", holds ? "✓" : "✗");
}
