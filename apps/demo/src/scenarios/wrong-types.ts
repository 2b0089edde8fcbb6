import { callAt, type Scenario } from "../scenario.ts";

/** A string instead of a number or an array, next to a valid call. */
export const wrongTypes: Scenario = {
  name: "wrong-types",
  title: "a string instead of a number or an array, next to a valid call",
  story:
    "Models put numbers in quotes and send one value for a list; seven in ten faults of real calls are wrong types.",
  script: [
    {
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", tail: "2" } },
        { tool: "read_multiple_files", args: { paths: "notes/todo.md, notes/meeting.md" } },
        { tool: "list_directory", args: { path: "notes" } },
      ],
    },
    {
      learned: [
        "send 2 without quotes",
        'send an array, such as ["notes/todo.md", "notes/meeting.md"]',
      ],
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", tail: 2 } },
        { tool: "read_multiple_files", args: { paths: ["notes/todo.md", "notes/meeting.md"] } },
      ],
    },
  ],
  verify(scene, claim) {
    const statuses = scene.turns[0]?.calls.map(({ handled }) => handled.status).join();
    const sibling = callAt(scene, 1, 3).handled.result.content;
    const tail = callAt(scene, 2, 1).handled.result.content;
    const files = callAt(scene, 2, 2).handled.result.content;
    claim(
      "the invalid calls are answered, their valid sibling runs",
      statuses === "rejected,rejected,executed",
      statuses,
    );
    claim("the sibling's result is the real one", sibling.includes("[FILE] todo.md"), sibling);
    claim("the corrected call reads two lines", tail.trim().split("\n").length === 2, tail);
    claim(
      "the other one reads both files",
      files.includes("# To do") && files.includes("# Meeting"),
      files,
    );
  },
};
