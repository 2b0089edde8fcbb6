import { callAt, type Scenario } from "../scenario.ts";

const REPORT = `# Report

The certificate ends on 3 June and the disk is 91 % full.
Do not delete the backups before the upload has been repeated.
`;
const whole = JSON.stringify({ path: "notes/report.md", content: REPORT });
const cut = whole.slice(0, whole.indexOf(" before the upload"));

/** Output that ends in the middle of a file. */
export const cutOutput: Scenario = {
  name: "cut-output",
  title: "output that ends in the middle of write_file",
  story:
    "The output reaches its token limit in the middle of write_file; repaired JSON would overwrite the file with half of its content.",
  script: [
    {
      finishReason: "length",
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", head: 1 } },
        { tool: "write_file", args: cut },
      ],
    },
    {
      learned: ["cut off", "Send the whole call again"],
      calls: [{ tool: "write_file", args: whole }],
    },
  ],
  verify(scene, claim) {
    const { result, status } = callAt(scene, 1, 2).handled;
    const { without } = callAt(scene, 1, 2);
    const half = scene.plain.read("notes/report.md");
    claim("the cut call never runs", status === "rejected", status);
    claim(
      "the code is that of cut output",
      result.errors?.[0]?.errorCode === "VAL-011",
      result.errors,
    );
    claim("its complete sibling runs", callAt(scene, 1, 1).handled.status === "executed");
    claim(
      "a lenient loop reports success",
      without.some(({ loop, ran }) => loop === "lenient" && ran),
    );
    claim(
      `and leaves half a file (without-contract/notes/report.md, ${half?.length} of ${REPORT.length} characters)`,
      half !== undefined && half.endsWith("Do not delete the backups"),
      half,
    );
    claim(
      "behind the contract the file is complete",
      scene.guarded.read("notes/report.md") === REPORT,
    );
  },
};
