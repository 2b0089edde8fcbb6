import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { describeGrants } from "@toolcontract/case-table/grants";
import { describeReplays } from "@toolcontract/case-table/replays";
import { PassThrough } from "node:stream";
import { createGate } from "../gate/index.ts";
import { type Between, payingKit } from "../testing/paying.ts";
import { replayingKit } from "../testing/replaying.ts";
import { relayLines } from "./relay-lines.ts";

const relayed: Between = async ({ server, client }, options, attemptKey) => {
  const fromClient = new PassThrough();
  const toServer = new PassThrough();
  const fromServer = new PassThrough();
  const toClient = new PassThrough();
  void relayLines(
    { fromClient, toServer, fromServer, toClient },
    {
      gate: createGate(options),
      attemptKey,
      maxMessageBytes: 100_000,
      stopping: new AbortController().signal,
      graceMs: 1_000,
      onStopping: () => undefined,
      onDrained: () => undefined,
    },
  );
  // The transport of a server reads and writes lines, as a client's does.
  await Promise.all([
    server.connect(new StdioServerTransport(toServer, fromServer)),
    client.connect(new StdioServerTransport(toClient, fromClient)),
  ]);
};

describeGrants("the relay between two streams", payingKit(relayed));
describeReplays("the relay between two streams", replayingKit(relayed));
