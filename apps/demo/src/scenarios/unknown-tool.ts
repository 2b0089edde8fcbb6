import { callAt, type Scenario } from "../scenario.ts";

const args = { path: "notes/ideas.md", content: "A bell for the door\n" };

/** A tool that the host does not have. */
export const unknownTool: Scenario = {
  name: "unknown-tool",
  title: "a tool that the host does not have",
  story:
    "Models call tools of other hosts from memory; 'not found' does not say which tools exist.",
  script: [
    {
      calls: [
        { tool: "writeFile", args },
        { tool: "list_directory", args: { path: "src" } },
      ],
    },
    { learned: ['use "write_file"'], calls: [{ tool: "write_file", args }] },
  ],
  verify(scene, claim) {
    const { result } = callAt(scene, 1).handled;
    claim(
      "the code is that of an unknown tool",
      result.errors?.[0]?.errorCode === "VAL-012",
      result.errors,
    );
    claim(
      "the near name is listed first, with the number of further tools",
      /one of "write_file", .* and \d+ more/.test(result.content),
    );
    claim("the sibling runs", callAt(scene, 1, 2).handled.status === "executed");
    claim(
      "it counts as a call of the tool that was meant",
      scene.metrics.byTool["write_file"]?.rejected === 1 && !("writeFile" in scene.metrics.byTool),
      scene.metrics.byTool,
    );
    claim("the file is written", scene.guarded.read(args.path) === args.content);
  },
};
