import { callAt, type Scenario } from "../scenario.ts";

/** The same invalid call twice, then a valid one. */
export const repeatedCall: Scenario = {
  name: "repeated-call",
  title: "the same invalid call again",
  story: "Models send the same invalid call again and again, and nothing points that out.",
  script: [
    { calls: [{ tool: "move_file", args: { from: "inbox/scan.txt", to: "notes/scan.txt" } }] },
    {
      calls: [{ tool: "move_file", args: { to: "notes/scan.txt", from: "inbox/scan.txt" } }],
    },
    {
      learned: ["same arguments as in attempt 1", "/destination, /source (VAL-001)"],
      calls: [
        { tool: "move_file", args: { source: "inbox/scan.txt", destination: "notes/scan.txt" } },
      ],
    },
  ],
  verify(scene, claim) {
    const attempts = [1, 2].map((turn) => callAt(scene, turn).handled.result.attempt);
    const before = callAt(scene, 1).without[0]?.text;
    claim(
      "the order of the keys does not hide the repetition",
      callAt(scene, 2).handled.result.content.includes("same arguments as in attempt 1"),
    );
    claim(
      "without the contract both answers are the same",
      before !== undefined && before === callAt(scene, 2).without[0]?.text,
    );
    claim("it counts as the second attempt", attempts.join() === "1,2", attempts);
    claim("the file is moved", scene.guarded.read("notes/scan.txt") !== undefined);
  },
};
