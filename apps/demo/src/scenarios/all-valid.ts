import type { Scenario } from "../scenario.ts";

/** A conversation without mistakes: the contract stays out of the way. */
export const allValid: Scenario = {
  name: "all-valid",
  title: "no mistakes, no interference",
  story: "Most calls are valid; for them the contract changes nothing.",
  compareValid: true,
  script: [
    {
      calls: [
        { tool: "create_directory", args: { path: "notes/trip" } },
        { tool: "read_text_file", args: { path: "logs/app.log", head: 2 } },
        { tool: "directory_tree", args: { path: "archive" } },
      ],
    },
    {
      calls: [
        {
          tool: "write_file",
          args: { path: "notes/trip/list.md", content: "- tent\n- „Käse“ 🧀\n" },
        },
        {
          tool: "edit_file",
          args: { path: "archive/todo-2024.md", edits: [{ oldText: "absent", newText: "x" }] },
        },
      ],
    },
    {
      calls: [
        {
          tool: "edit_file",
          args: { path: "notes/trip/list.md", edits: [{ oldText: "tent", newText: "two tents" }] },
        },
      ],
    },
  ],
  verify(scene, claim) {
    const calls = scene.turns.flatMap((turn) => turn.calls);
    const { metrics, guarded } = scene;
    const different = calls
      .map(({ handled, without }) => [handled.result.content, without[0]?.text])
      .filter(([text, plain]) => text?.replaceAll(guarded.path, scene.plain.path) !== plain);
    claim(
      "every call runs",
      metrics.admitted === calls.length && metrics.failureRate === 0,
      metrics,
    );
    claim(
      "a failure of the tool does not count as an invalid call",
      calls[4]?.handled.result.isError === true,
    );
    claim(
      "every result is the same as without the contract, byte for byte",
      different.length === 0,
      different,
    );
  },
};
