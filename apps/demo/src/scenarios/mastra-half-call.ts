import { type AgentsScene, playAgentSides } from "../agent-sides/play-agent-sides.ts";
import { callAt, type Scenario } from "../scenario.ts";

/** A call that was cut runs in Mastra without its arguments; with the contract it does not run. */
export const mastraHalfCall: Scenario = {
  name: "mastra-half-call",
  title: "Mastra: a call that was cut runs as {}",
  story:
    "The output ends in the middle of a call, and Mastra runs the tool with {} in place of the arguments that it cannot read: every folder instead of one.",
  script: [
    { calls: [{ tool: "delete_files", args: '{"folder":"dra' }] },
    { learned: ["cut off"], calls: [{ tool: "delete_files", args: { folder: "drafts" } }] },
    { calls: [], says: "The drafts are gone." },
  ],
  async play({ workspace }) {
    const { runCleaningAgent } = await import("../mastra/run-cleaning-agent.ts");
    return playAgentSides(mastraHalfCall, workspace, runCleaningAgent);
  },
  verify(scene: AgentsScene, claim) {
    const { withContract, withoutContract } = scene;
    claim(
      "without the contract the tool runs without a folder, and deletes everything",
      JSON.stringify(withoutContract.reached[0]) === "{}",
      withoutContract.reached,
    );
    const { call, handled } = callAt(scene, 1);
    claim("with it half a call never runs", handled.status === "rejected", handled.status);
    claim(
      "the model reads the contract's answer to the letter",
      withContract.answers.get(call.id) === handled.result.content,
      withContract.answers.get(call.id),
    );
    claim(
      "the tool runs once, with the folder that was meant",
      JSON.stringify(withContract.reached) === '[{"folder":"drafts"}]',
      withContract.reached,
    );
    claim("the run has an answer", withContract.said === "The drafts are gone.");
  },
};
