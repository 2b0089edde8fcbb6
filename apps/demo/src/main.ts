import { type Output, readCommand } from "./command-line.ts";
import { renderJson } from "./json-report.ts";
import { renderLegend } from "./margin.ts";
import { type Page, pageFor } from "./page.ts";
import { compareRecording, readRecording, writeRecording } from "./recording/recording-file.ts";
import { runScenario } from "./run-scenario.ts";
import type { Played, Scenario } from "./scenario.ts";
import { FEATURED, RECORDED, SCENARIOS } from "./scenarios.ts";
import { type Stage, withStage } from "./stage.ts";
import { renderEnd, renderOtherTitle, renderWays } from "./text-report.ts";
import { renderLine, renderScene } from "./timeline.ts";

// A reader that went away, such as `head`, is not a fault.
process.stdout.on("error", () => process.exit());

const command = readCommand(process.argv.slice(2), SCENARIOS);
switch (command.kind) {
  case "print":
    console.log(command.text);
    break;
  case "refuse":
    console.error(command.text);
    process.exitCode = 2;
    break;
  case "record":
    judge(await record());
    break;
  case "play": {
    const { scenarios, output } = command;
    judge(await (output === "json" ? playAsJson(scenarios) : playAsText(scenarios, output)));
  }
}

function judge(scenes: readonly Played[]): void {
  if (scenes.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

async function record(): Promise<readonly Played[]> {
  const page = pageFor(process.stdout);
  return withStage(async (stage) => {
    const scenes: Played[] = [];
    for (const scenario of RECORDED) {
      const played = await runScenario(scenario, stage);
      scenes.push(played);
      console.log(renderLine(played, page));
    }
    stage.workspace.remove();
    if (scenes.every(({ failures }) => failures.length === 0)) writeRecording(scenes);
    return scenes;
  });
}

async function playAsJson(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  return withStage(async (stage) => {
    const scenes = await playEach(scenarios, stage);
    stage.workspace.remove();
    console.log(renderJson(scenes));
    return scenes;
  });
}

async function playAsText(
  scenarios: readonly Scenario[],
  output: Exclude<Output, "json">,
): Promise<readonly Played[]> {
  const page = pageFor(process.stdout);
  const start = performance.now();
  console.log(
    "A scripted model, the official MCP filesystem server, the real Vercel AI SDK, the real LangChain: no network, no key.\n",
  );
  console.log(renderLegend(page));
  console.log("\nTokens are exact for the o200k encoding and an estimate for other models.");
  const play = output === "whole" ? playWhole : playFeatured;
  return withStage(async (stage) => {
    const scenes = await play(scenarios, stage, page);
    const seconds = (performance.now() - start) / 1000;
    console.log(renderEnd(scenes, { workspace: stage.workspace, seconds, output }, page));
    return scenes;
  });
}

async function playWhole(
  scenarios: readonly Scenario[],
  stage: Stage,
  page: Page,
): Promise<readonly Played[]> {
  let number = 0;
  return playEach(scenarios, stage, (played) => {
    number += 1;
    console.log(`\n${renderScene(played, `${number} of ${scenarios.length}`, page)}`);
  });
}

async function playFeatured(
  scenarios: readonly Scenario[],
  stage: Stage,
  page: Page,
): Promise<readonly Played[]> {
  const featured = await playWhole(FEATURED, stage, page);
  const others = scenarios.filter((scenario) => !FEATURED.includes(scenario));
  console.log(`\n${renderOtherTitle(others.length, page)}`);
  const lines = await playEach(others, stage, (played) => console.log(renderLine(played, page)));
  console.log(renderWays());
  return [...featured, ...lines];
}

async function playEach(
  scenarios: readonly Scenario[],
  stage: Stage,
  show: (played: Played) => void = () => undefined,
): Promise<readonly Played[]> {
  const recorded = readRecording();
  const scenes: Played[] = [];
  for (const scenario of scenarios) {
    const now = await runScenario(scenario, stage);
    const played = RECORDED.includes(scenario) ? compareRecording(now, recorded) : now;
    scenes.push(played);
    show(played);
  }
  return scenes;
}
