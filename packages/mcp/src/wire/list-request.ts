import type { Message } from "../gate/link.ts";
import { isRecord } from "../gate/record.ts";

/** Builds the gate's own request for the tools, with the `_meta` of the call that needs them. */
export function listRequest(id: string, params: Message, like: Message): Message {
  const meta = metaOf(like);
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/list",
    params: { ...params, ...(meta && { _meta: meta }) },
  };
}

/** Everything that a stateless server wants to know of a request; progress belongs to the call alone. */
function metaOf({ params }: Message): Message | undefined {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  if (!isRecord(meta)) return undefined;
  const { progressToken: _, ...rest } = meta;
  return rest;
}
