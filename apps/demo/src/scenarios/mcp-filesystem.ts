import { filesystemCommand } from "../filesystem-server.ts";
import { onMcp } from "../mcp/on-mcp.ts";
import { callAt } from "../scenario.ts";

/** The proxy in front of the official filesystem server, behind the official client. */
export const mcpFilesystem = onMcp({
  name: "mcp-filesystem",
  title: "MCP: the proxy in front of the filesystem server",
  story: "A server's own error for wrong arguments names no fix, so the next call is a guess.",
  server: (folder) => filesystemCommand(folder),
  script: [
    { calls: [{ tool: "directory_tree", args: { pth: "logs", excludePatterns: "access*" } }] },
    {
      learned: ['rename "pth" to "path"', "put it in an array"],
      calls: [{ tool: "directory_tree", args: { path: "logs", excludePatterns: ["access*"] } }],
    },
    { calls: [], says: "Beside the access log there is app.log." },
  ],
  verify(scene, claim) {
    const [bad, good] = scene.withProxy;
    const [plainBad, plainGood] = scene.withoutProxy;
    const plain = callAt(scene, 1).without[0]?.text ?? "";
    const areErrors = bad?.isError === true && plainBad?.isError === true;
    claim("the invalid call is an error that the model reads, on both sides", areErrors, bad);
    claim("the server's own error names no fix", !/rename|array of|put it/.test(plain), plain);
    claim("the result has no structured content", bad?.structuredContent === undefined, bad);
    claim("the corrected call runs", good?.isError !== true, good);
    claim(
      "its result is the server's own, unchanged",
      JSON.stringify(good) === JSON.stringify(plainGood),
      good,
    );
  },
});
