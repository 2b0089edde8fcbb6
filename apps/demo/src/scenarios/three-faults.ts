import { callAt, type Scenario } from "../scenario.ts";

const edit = { oldText: "- [ ] renew", newText: "- [x] renew" };

/** Several faults in one call, answered in one message. */
export const threeFaults: Scenario = {
  name: "three-faults",
  title: "three faults in one call, one answer",
  story:
    "One invalid call in three has more than one fault; if they are reported one at a time, each takes a turn.",
  script: [
    {
      calls: [
        { tool: "edit_file", args: { file_path: "notes/todo.md", edits: edit, dryRun: "false" } },
        { tool: "read_text_file", args: { path: "notes/meeting.md", head: 1 } },
      ],
    },
    {
      learned: ['rename "file_path" to "path"', "put it in an array", "send false without quotes"],
      calls: [{ tool: "edit_file", args: { path: "notes/todo.md", edits: [edit], dryRun: false } }],
    },
  ],
  verify(scene, claim) {
    const { errors = [] } = callAt(scene, 1).handled.result;
    claim("all three faults are in the first answer", errors.length === 3, errors);
    claim("the sibling runs", callAt(scene, 1, 2).handled.status === "executed");
    claim("one more turn is enough", scene.turns.length === 2);
    claim(
      "the line in the file is edited",
      scene.guarded.read("notes/todo.md")?.includes("- [x] renew") === true,
      scene.guarded.read("notes/todo.md"),
    );
  },
};
