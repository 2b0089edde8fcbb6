import { describeAdapter } from "@toolcontract/case-table";
import { parseRejection } from "@toolcontract/core";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { HTTP_SERVERS } from "../testing/sdk-servers.ts";
import { guardrailsOf } from "../testing/table-case.ts";
import { CANNOT, harnessOf } from "../testing/table-host.ts";

// A low-level server runs any call; a high-level one rejects invalid calls in its own words, which are then rewritten.
const SERVERS = [
  ["v1 Server with sessions", "reject"],
  ["v2 createMcpHandler, 2026-07-28", "assist"],
] as const;

// The command's own default; one case sends more than a megabyte.
const MAX_BODY = 4 * 1024 ** 2;

for (const [name, soft] of SERVERS) {
  const harness = harnessOf(async (tools, gate) => {
    const client = await HTTP_SERVERS[name](tools, async (url) => {
      const { port } = await startOn(url, { gate, maxMessageBytes: MAX_BODY });
      return new URL(`http://127.0.0.1:${port}/mcp`);
    });
    return {
      ...client,
      close: async () => {
        await client.close();
        await closePairs();
      },
    };
  }, soft);
  describeAdapter(`HTTP proxy in front of ${name}`, harness, {
    parseRejection,
    createGuardrails: guardrailsOf,
    cannot: CANNOT,
    // The gate is the same in process, where each case runs.
    share: "one in six",
  });
}
