import { producedText } from "../produced-text.ts";
import { callAt, type Scenario } from "../scenario.ts";

// Put together here, so that nobody's scanner takes this file for a leak.
const token = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
const password = "correct-horse-9-battery";
const path = "notes/deploy.env";
const content = `GITHUB_TOKEN=${token}\nDB_PASSWORD=${password}\n`;

/** Secrets in a call that is rejected. */
export const secretArguments: Scenario = {
  name: "secret-arguments",
  title: "a token and a password in a rejected call",
  story: "Rejected calls are echoed, logged and traced, and the arguments may hold a password.",
  secrets: [token, password],
  script: [
    {
      calls: [
        {
          tool: "write_file",
          args: { path, content: { GITHUB_TOKEN: token, DB_PASSWORD: password, region: "eu" } },
        },
        { tool: "write_file", args: { path, content: [`GITHUB_TOKEN=${token}`, "region=eu"] } },
      ],
    },
    {
      learned: ["expected string, got object"],
      calls: [{ tool: "write_file", args: { path, content } }],
    },
  ],
  verify(scene, claim) {
    const everything = producedText(scene);
    const { result } = callAt(scene, 1).handled;
    claim(
      "neither secret is in any answer, error, event, log line or metric",
      !everything.includes(token) && !everything.includes(password),
    );
    claim("the harmless value beside them is shown", result.content.includes('"region": "eu"'));
    claim(
      "the log line names place and code",
      /"path":"\/content","code":"VAL-002"/.test(everything),
    );
    claim("the valid call reaches the tool untouched", scene.guarded.read(path) === content);
  },
};
