import { onLangChain } from "../langchain/on-langchain.ts";
import { callAt } from "../scenario.ts";

const file = "logs/app.log";

/** Tools of a real MCP server, through LangChain's own client. */
export const langchainMcpTool = onLangChain({
  name: "langchain-mcp-tool",
  title: "LangChain: tools of an MCP server through @langchain/mcp-adapters",
  story: "About an invalid call of an MCP tool, LangChain says only that something is wrong.",
  tools: "filesystem server",
  script: [
    {
      calls: [
        { tool: "read_text_file", args: { path: file, head: "2" } },
        { tool: "read_text_file", args: { path: "notes/april.md" } },
      ],
    },
    {
      learned: ["send 2 without quotes", "ENOENT"],
      calls: [{ tool: "read_text_file", args: { path: file, head: 2 } }],
    },
    { calls: [], says: "The server started at 09:12." },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const plain = withoutContract.answers.get("call_1_1")?.text ?? "";
    const [, reason = ""] = plain.split(" with error: ");
    claim(
      "without the contract the model reads neither field nor reason",
      reason.includes("did not match expected schema") &&
        !/head|number/.test(reason.split("\n")[0] ?? ""),
      plain,
    );
    claim(
      "with it the model reads both",
      callAt(scene, 1).handled.result.content.includes("/head (VAL-002)"),
    );
    claim(
      "only the other calls reach the server",
      JSON.stringify(withContract.reached.map((args) => (args as { head?: unknown }).head)) ===
        "[null,2]",
      withContract.reached,
    );
    const answers = [withContract, withoutContract].map((run) => run.answers.get("call_1_2")?.text);
    claim(
      "the server's own error is the same as without the contract",
      answers.every((text) => text?.includes("ENOENT") === true),
      answers,
    );
    claim(
      "the corrected call reads the file",
      callAt(scene, 2).handled.result.content.includes("09:12"),
    );
  },
});
