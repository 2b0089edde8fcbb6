import type { Rule } from "@toolcontract/core";
import { callAt, type Scenario } from "../scenario.ts";

const onlyNotes: Rule<{ readonly path: string }> = ({ path }) =>
  /^notes\/(?!.*\.\.)/.test(path)
    ? []
    : [
        {
          fieldPath: "/path",
          message: "This assistant writes to notes/ only",
          expectedValue: "a path below notes/",
          actualValue: path,
        },
      ];

const content = "export const port = 9090;\n";

/** A policy of the user that no schema can express. */
export const houseRule: Scenario = {
  name: "house-rule",
  title: "a policy of the user beyond the schema",
  story: "The schema allows any path; the model cannot know which paths the user allows.",
  options: { rules: { write_file: [onlyNotes] } },
  script: [
    {
      calls: [
        { tool: "write_file", args: { path: "src/server.ts", content } },
        { tool: "write_file", args: { path: "notes/port.md", content: "Port 9090, please.\n" } },
      ],
    },
    {
      learned: ["a path below notes/"],
      calls: [{ tool: "write_file", args: { path: "notes/server.ts", content } }],
    },
  ],
  verify(scene, claim) {
    const { errors = [] } = callAt(scene, 1).handled.result;
    claim("the code is that of a rule", errors[0]?.errorCode === "VAL-016", errors);
    claim(
      "without the contract the source file is overwritten",
      scene.plain.read("src/server.ts") === content,
    );
    claim("with it the source file is not", scene.guarded.read("src/server.ts") !== content);
    claim(
      "the allowed sibling of the same tool runs",
      callAt(scene, 1, 2).handled.status === "executed",
    );
    claim("the corrected call writes to notes/", scene.guarded.read("notes/server.ts") === content);
  },
};
