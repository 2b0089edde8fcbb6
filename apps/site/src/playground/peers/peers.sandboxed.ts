// Runs the peers beside the code of a tool, in a worker of the sandboxed frame.
import type { z } from "zod";
import { answerPort, evaluateCode } from "../sandboxed/index.ts";
import { askPeers } from "./ask-peers.ts";
import type { PeerRequest } from "./peer-answer.ts";

let defined: ReturnType<typeof evaluateCode> | undefined;

answerPort(async ({ code = "", tool, text }: PeerRequest) => {
  const found = await (defined ??= evaluateCode(code));
  if ("fault" in found) throw new Error(found.fault);
  const { schema } = found as { readonly schema?: z.ZodType };
  if (schema?.["~standard"].vendor !== "zod")
    throw new Error("They are asked with tools in zod or JSON Schema.");
  return askPeers({ tool: { name: tool.name, schema }, text });
});
