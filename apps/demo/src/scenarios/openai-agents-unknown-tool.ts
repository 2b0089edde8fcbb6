import { type AgentsScene, playAgentSides } from "../agent-sides/play-agent-sides.ts";
import { callAt, type Scenario } from "../scenario.ts";

/** One misspelt name ends a run of the OpenAI Agents SDK; with the contract the model corrects itself. */
export const openaiAgentsUnknownTool: Scenario = {
  name: "openai-agents-unknown-tool",
  title: "OpenAI Agents: a misspelt name ends the run, and a forbidden argument runs",
  story:
    "The OpenAI Agents SDK runs a tool with a plain JSON Schema whatever the model sends, and ends the run at a tool that it does not know.",
  script: [
    {
      calls: [
        { tool: "get_weather", args: { city: 5 } },
        { tool: "get_weather", args: { city: "Oslo" } },
      ],
    },
    {
      learned: ["/city", "expected string"],
      calls: [{ tool: "get_wether", args: { city: "Rome" } }],
    },
    { learned: ['use "get_weather"'], calls: [{ tool: "get_weather", args: { city: "Rome" } }] },
    { calls: [], says: "It is sunny in Oslo and in Rome." },
  ],
  async play({ workspace }) {
    const { runWeatherAgent } = await import("../openai-agents/run-weather-agent.ts");
    return playAgentSides(openaiAgentsUnknownTool, workspace, runWeatherAgent);
  },
  verify(scene: AgentsScene, claim) {
    const { withContract, withoutContract } = scene;
    claim(
      "without the contract the tool runs with a number for the city",
      (withoutContract.reached[0] as { readonly city?: unknown } | undefined)?.city === 5,
      withoutContract.reached,
    );
    claim(
      "and the misspelt name ends the run",
      withoutContract.said === undefined &&
        /get_wether/.test(withoutContract.thrown?.message ?? ""),
      withoutContract.thrown?.message,
    );
    claim(
      "with it the model reads both faults to the letter",
      [callAt(scene, 1), callAt(scene, 2)].every(
        ({ call, handled }) => withContract.answers.get(call.id) === handled.result.content,
      ),
    );
    claim(
      "the tool runs twice, with what its schema allows",
      JSON.stringify(withContract.reached) === '[{"city":"Oslo"},{"city":"Rome"}]',
      withContract.reached,
    );
    claim("the run has an answer", withContract.said === "It is sunny in Oslo and in Rome.");
  },
};
