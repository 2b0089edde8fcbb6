import { describeAdapter } from "@toolcontract/case-table";
import { parseRejection } from "@toolcontract/core";
import { WAYS } from "../testing/sdk-servers.ts";
import { guardrailsOf } from "../testing/table-case.ts";
import { CANNOT, harnessOf } from "../testing/table-host.ts";
import { withContract } from "./with-contract.ts";

// A low-level server runs any call; a high-level one rejects invalid calls in its own words, which are then rewritten.
const SERVERS = [
  ["v1 Server in memory", "reject"],
  ["v2 McpServer in memory", "assist"],
  ["v2 createMcpHandler, 2026-07-28", "assist"],
] as const;

for (const [name, soft] of SERVERS) {
  const connect = WAYS[name]!;
  const harness = harnessOf(
    async (tools, gate) => connect(tools, (server) => withContract(server, { gate })),
    soft,
  );
  describeAdapter(`withContract on ${name}`, harness, {
    parseRejection,
    createGuardrails: guardrailsOf,
    cannot: CANNOT,
    ...(name !== "v2 McpServer in memory" && { share: "one in three" }),
  });
}
