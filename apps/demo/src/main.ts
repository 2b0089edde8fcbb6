import { readCommand } from "./command-line.ts";
import { renderJson } from "./json-report.ts";
import { renderLegend } from "./margin.ts";
import { pageFor } from "./page.ts";
import { runScenario } from "./run-scenario.ts";
import type { Played, Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { withStage } from "./stage.ts";
import { renderEnd } from "./text-report.ts";
import { renderScene } from "./timeline.ts";

// A reader that went away, such as `head`, is no fault.
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
  case "play": {
    const scenes = await (command.json ? playAsJson : playAsText)(command.scenarios);
    if (scenes.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  }
}

async function playAsJson(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  return withStage(async (stage) => {
    const scenes: Played[] = [];
    for (const scenario of scenarios) scenes.push(await runScenario(scenario, stage));
    stage.workspace.remove();
    console.log(renderJson(scenes));
    return scenes;
  });
}

async function playAsText(scenarios: readonly Scenario[]): Promise<readonly Played[]> {
  const page = pageFor(process.stdout);
  const start = performance.now();
  console.log(
    "A scripted model, the official MCP filesystem server, the real Vercel AI SDK, the real LangChain: no network, no key.\n",
  );
  console.log(renderLegend(page));
  console.log("\nTokens are exact for the o200k encoding and an estimate for other models.");
  return withStage(async (stage) => {
    const scenes: Played[] = [];
    for (const [index, scenario] of scenarios.entries()) {
      const played = await runScenario(scenario, stage);
      scenes.push(played);
      console.log(`\n${renderScene(played, `${index + 1} of ${scenarios.length}`, page)}`);
    }
    const seconds = (performance.now() - start) / 1000;
    console.log(renderEnd(scenes, stage.workspace, seconds, page));
    return scenes;
  });
}
