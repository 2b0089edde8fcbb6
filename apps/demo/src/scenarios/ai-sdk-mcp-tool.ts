import { openMcpToolbox } from "../ai-sdk/mcp-toolbox.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { callAt } from "../scenario.ts";

const pattern = "**/todo*";
const absent = "notes/april.md";

/** Tools of a real MCP server, through the SDK's own client. */
export const aiSdkMcpTool = onAiSdk({
  name: "ai-sdk-mcp-tool",
  title: "AI SDK: tools of an MCP server through @ai-sdk/mcp",
  story:
    "The AI SDK does not validate calls of MCP tools, and the server's error flag is lost on the way to the model.",
  options: { unknownFields: "reject" },
  openToolbox: openMcpToolbox,
  script: [
    {
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", head: "2" } },
        { tool: "search_files", args: { path: ".", pattern, exclude_patterns: ["archive/**"] } },
        { tool: "read_text_file", args: { path: absent } },
      ],
    },
    {
      learned: ["send 2 without quotes", 'rename it to "excludePatterns"', "ENOENT"],
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", head: 2 } },
        { tool: "search_files", args: { path: ".", pattern, excludePatterns: ["archive/**"] } },
      ],
    },
    { calls: [], says: "There is one open list, notes/todo.md, and no file for April." },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const [plainHead, plainSearch, plainAbsent] = [1, 2, 3].map((call) =>
      withoutContract.answers.get(`call_1_${call}`),
    );
    const sentBad = (run: typeof withContract) =>
      ['"head":"2"', "exclude_patterns"].filter((bad) => JSON.stringify(run.reached).includes(bad));
    const found = callAt(scene, 2, 2).handled.result.content;
    claim(
      "without the contract the server gets the wrong arguments",
      sentBad(withoutContract).length === 2,
      withoutContract.reached,
    );
    claim("with it the server does not", sentBad(withContract).length === 0, withContract.reached);
    claim(
      "without it the misspelt key is ignored, and the search finds files that should be excluded",
      plainSearch?.text.includes("todo-2024.md") === true,
      plainSearch,
    );
    claim(
      "with it the corrected search excludes them",
      found.includes("notes/todo.md") && !found.includes("todo-2024.md"),
      found,
    );
    claim(
      "without it the server's errors reach the model as plain content",
      [plainHead, plainAbsent].every((answer) => answer?.type === "content"),
      [plainHead, plainAbsent],
    );
    claim(
      "with it the server's error keeps its flag and its text",
      withContract.answers.get("call_1_3")?.type === "error-text" &&
        callAt(scene, 1, 3).handled.result.content.includes("ENOENT"),
      withContract.answers.get("call_1_3"),
    );
    claim(
      "both corrected calls run",
      [1, 2].every((n) => !callAt(scene, 2, n).handled.result.isError),
    );
  },
});
