import { SEED } from "../workspace.ts";
import { callAt, type Scenario } from "../scenario.ts";

const path = "notes/meeting.md";

/** A model that never gets it right: the third failure ends it. */
export const spentAttempts: Scenario = {
  name: "spent-attempts",
  title: "three failures, then a person takes over",
  story:
    "Some calls never become valid; without a limit the loop burns tokens until someone notices the bill.",
  script: [
    { calls: [{ tool: "edit_file", args: { path, changes: "Friday -> Monday" } }] },
    {
      learned: ["'edits' is missing"],
      calls: [{ tool: "edit_file", args: { path, edits: "s/Friday/Monday/" } }],
    },
    {
      learned: ["array of object with oldText, newText"],
      calls: [{ tool: "edit_file", args: { path, edits: [{ text: "Monday" }] } }],
    },
    {
      learned: ["Do not call 'edit_file' again", "tell the user what is missing"],
      calls: [{ tool: "read_text_file", args: { path } }],
    },
  ],
  verify(scene, claim) {
    const last = callAt(scene, 3).handled;
    const [escalation, ...more] = scene.escalations;
    claim("the third failure is blocked", last.status === "blocked", last.status);
    claim("one escalation is raised", escalation !== undefined && more.length === 0);
    claim(
      "it shows a person all three attempts",
      ["Attempt 1:", "Attempt 2:", "Attempt 3:"].every((line) =>
        escalation?.summary.includes(line),
      ),
      escalation?.summary,
    );
    claim("the other tools still work", callAt(scene, 4).handled.status === "executed");
    claim("the file is unchanged", scene.guarded.read(path) === SEED[path]);
    claim(
      "blocked once, rejected twice",
      scene.metrics.blocked === 1 && scene.metrics.rejected === 2,
    );
  },
};
