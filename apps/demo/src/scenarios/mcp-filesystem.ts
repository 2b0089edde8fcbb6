import { filesystemCommand } from "../filesystem-server.ts";
import { onMcp } from "../mcp/mcp-scenario.ts";
import { callAt } from "../scenario.ts";

/** The proxy in front of the official filesystem server, behind the official client. */
export const mcpFilesystem = onMcp({
  name: "mcp-filesystem",
  title: "MCP: the proxy in front of the filesystem server",
  story: "A server's own words for wrong arguments name no fix, so the next call is a guess.",
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
    claim("the bad call is an error that the model reads, on both sides", areErrors, bad);
    claim("the server's own words name no fix", !/rename|array of|put it/.test(plain), plain);
    claim("the result holds no structured content", bad?.structuredContent === undefined, bad);
    claim("the corrected call runs", good?.isError !== true, good);
    claim(
      "its result is the server's own, to the letter",
      JSON.stringify(good) === JSON.stringify(plainGood),
      good,
    );
  },
});
