import { callAt, type Scenario } from "../scenario.ts";

/** Malformed JSON with a clear meaning. */
export const smallSlips: Scenario = {
  name: "small-slips",
  title: "malformed JSON with a clear meaning",
  story:
    "A trailing comma, single quotes, a raw line break: not worth a turn if nothing is missing.",
  script: [
    {
      calls: [
        { tool: "list_directory", args: '{"path": "archive",}' },
        { tool: "read_text_file", args: "{'path': 'logs/app.log', 'head': 1}" },
        { tool: "write_file", args: '{"path": "notes/poem.md", "content": "Roses\nViolets"}' },
      ],
    },
  ],
  verify(scene, claim) {
    const { metrics } = scene;
    const refused = [1, 2, 3].flatMap((call) => callAt(scene, 1, call).without[0]?.text ?? []);
    claim("all three run, counted as repaired", metrics.admitted === 3 && metrics.repaired === 3);
    claim(
      "a plain loop answers each with a syntax error",
      refused.length === 3 && refused.every((text) => text.includes("JSON")),
      refused,
    );
    claim(
      "the content of the file is exact",
      scene.guarded.read("notes/poem.md") === "Roses\nViolets",
      scene.guarded.read("notes/poem.md"),
    );
  },
};
