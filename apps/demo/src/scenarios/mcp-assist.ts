import { filesystemCommand } from "../filesystem-server.ts";
import { onMcp } from "../mcp/on-mcp.ts";
import { callAt } from "../scenario.ts";

/** The proxy rejects nothing itself: the server decides, the contract explains. */
export const mcpAssist = onMcp({
  name: "mcp-assist",
  title: "MCP: assist mode, the server decides and the contract explains",
  story:
    "Some servers accept more than their schemas say, so a proxy must not reject what they accept.",
  flags: ["--mode", "assist"],
  server: (folder) => filesystemCommand(folder),
  script: [
    {
      calls: [
        { tool: "read_text_file", args: { path: "logs/app.log", head: "first two" } },
        { tool: "read_text_file", args: { path: "notes/april.md" } },
      ],
    },
    {
      learned: ["expected number"],
      calls: [{ tool: "read_text_file", args: { path: "logs/app.log", head: 2 } }],
    },
    { calls: [], says: "The disk was 91 % full at 09:14." },
  ],
  verify(scene, claim) {
    const [refused, absent, good] = scene.withProxy;
    const [bare, plainAbsent] = scene.withoutProxy;
    const { handled } = callAt(scene, 1);
    claim("the server itself rejects the call", bare?.isError === true, bare);
    claim(
      "the model reads the contract's message about it",
      refused?.isError === true && handled.result.content.includes("(VAL-002)"),
      handled.result.content,
    );
    claim(
      "a call that fails for another reason keeps the server's text",
      JSON.stringify(absent) ===
        JSON.stringify(plainAbsent).replaceAll(scene.plain.path, scene.guarded.path),
      absent,
    );
    claim("the corrected call runs", good?.isError !== true, good);
  },
});
