import { callAt, type Scenario } from "../scenario.ts";

/** Misspelt keys: one required, one optional. */
export const misspeltKey: Scenario = {
  name: "misspelt-key",
  title: "a misspelt required key, and a misspelt optional one that a server silently ignores",
  story:
    "Models use another tool's spelling. A misspelt optional key is worse than a required one: the server ignores it and returns the wrong results.",
  options: { unknownFields: "reject" },
  script: [
    {
      calls: [
        { tool: "write_file", args: { file_path: "notes/friday.md", content: "Room 4\n" } },
        {
          tool: "search_files",
          args: { path: ".", pattern: "**/todo*", exclude_patterns: ["archive/**"] },
        },
      ],
    },
    {
      learned: ['rename it to "path"', 'rename it to "excludePatterns"'],
      calls: [
        { tool: "write_file", args: { path: "notes/friday.md", content: "Room 4\n" } },
        {
          tool: "search_files",
          args: { path: ".", pattern: "**/todo*", excludePatterns: ["archive/**"] },
        },
      ],
    },
  ],
  verify(scene, claim) {
    const [silent] = callAt(scene, 1, 2).without;
    const found = callAt(scene, 2, 2).handled.result.content;
    claim(
      "without the contract the search runs and finds files that should be excluded",
      silent?.ran === true && silent.text.includes("todo-2024.md"),
      silent?.text,
    );
    claim(
      "with it the corrected search excludes the archive",
      found.includes("notes/todo.md") && !found.includes("todo-2024.md"),
      found,
    );
    claim("the file is written", scene.guarded.read("notes/friday.md") === "Room 4\n");
  },
};
