// A reference server on stdio: node stdio.ts v1|v2
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serverV1 } from "./server-v1.ts";
import { serverV2 } from "./server-v2.ts";

if (process.argv[2] === "v1") {
  await serverV1().connect(new StdioServerTransport());
} else {
  serveStdio(() => {
    const server: ReturnType<typeof serverV2> = serverV2({
      tools: () => server.sendToolListChanged(),
      prompts: () => server.sendPromptListChanged(),
    });
    return server;
  });
}
