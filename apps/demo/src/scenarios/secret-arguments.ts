import { producedText } from "../produced-text.ts";
import { callAt, type Scenario } from "../scenario.ts";

// Built from parts, so that no scanner reports this file as a leak.
const token = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
const password = "correct-horse-9-battery";
const path = "notes/deploy.env";
const content = `note=${token}\nDB_PASSWORD=${password}\n`;

/** Secrets in calls that are rejected: one recognised by its name, one by its shape, one in malformed JSON. */
export const secretArguments: Scenario = {
  name: "secret-arguments",
  title: "a token and a password in rejected calls",
  story: "Rejected calls are shown, logged and traced, and their arguments may contain a password.",
  secrets: [token, password],
  script: [
    {
      calls: [
        {
          tool: "write_file",
          args: { path, content: { note: token, DB_PASSWORD: password, region: "eu" } },
        },
        { tool: "write_file", args: `{"path": "${path}", "content": ${token}}` },
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
    const parts = [token.slice(0, 10), token.slice(-10), password];
    const [quoted] = callAt(scene, 1, 2).without;
    claim(
      "no part of either is in any answer, error, event, log line or metric",
      parts.every((part) => !everything.includes(part)),
    );
    claim("the harmless value next to them is shown", result.content.includes('"region": "eu"'));
    claim(
      "the log has the path and the code",
      everything.includes('{"path":"/content","code":"VAL-002"}'),
    );
    claim(
      "a plain loop's syntax error quotes the token's first letters",
      quoted?.text.includes(token.slice(0, 8)) === true,
      quoted?.text,
    );
    claim("the valid call reaches the tool untouched", scene.guarded.read(path) === content);
  },
};
