import { fileURLToPath } from "node:url";
import { onMcp } from "../mcp/on-mcp.ts";
import { callAt } from "../scenario.ts";

const SERVER = fileURLToPath(import.meta.resolve("../mcp/lines-server.ts"));
const PATH = "notes/todo.md";

const first = { files: [{ file_path: PATH, ranges: [{ from: 1, end: 1 }] }], encoding: "utf8" };
const whole = { files: [{ path: PATH, ranges: [{ start: 1, end: 1 }] }], encoding: "utf-8" };

/** Three faults in one call: a server that names the first costs a turn for each. */
export const mcpOneByOne = onMcp({
  name: "mcp-one-by-one",
  title:
    "MCP: three faults, four turns in the server's own words, and one correction with the contract",
  story:
    "Many servers stop at the first fault, so a model that corrects what it reads finds the next one a turn later.",
  server: () => [SERVER],
  script: [
    { calls: [{ tool: "read_lines", args: first }] },
    {
      learned: ['rename "file_path" to "path"', "/files/0/ranges/0/start (VAL-001)", 'use "utf-8"'],
      calls: [{ tool: "read_lines", args: whole }],
    },
  ],
  // Each corrects what the server said of the one before.
  alone: [
    first,
    { ...first, files: [{ path: PATH, ranges: [{ from: 1, end: 1 }] }] },
    { ...first, files: whole.files },
    whole,
  ],
  verify(scene, claim) {
    const { alone, withProxy } = scene;
    const answer = callAt(scene, 1).handled.result.content;
    claim("the proxy names all three faults at once", answer.split("• ").length === 4, answer);
    claim("the next call runs", withProxy[1]?.isError !== true, withProxy[1]);
    claim(
      "in the server's own words the fourth call is the first that runs",
      alone.map(({ isError }) => isError === true).join() === "true,true,true,false",
      alone,
    );
  },
});
