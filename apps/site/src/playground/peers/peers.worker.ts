import { z } from "zod";
import { definedTool } from "../defined-tool.ts";
import { askPeers } from "./ask-peers.ts";
import type { PeerRequest } from "./peer-answer.ts";

// Compiling validators would need `unsafe-eval`.
z.config({ jitless: true });

self.addEventListener("message", ({ data }: MessageEvent<PeerRequest>) => {
  const schema = (definedTool()?.schema as z.ZodType | undefined) ?? data.tool.schema;
  askPeers({ ...data, tool: { ...data.tool, schema } }).then(
    (answers) => self.postMessage(answers),
    (thrown: unknown) => self.reportError(thrown),
  );
});
