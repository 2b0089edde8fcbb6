import type { Readable, Writable } from "node:stream";
import type { Gate } from "../gate/index.ts";
import { createEndServer } from "./end-server.ts";
import { deferredGate } from "./deferred-gate.ts";
import { type RelayOptions, relayLines } from "./relay-lines.ts";
import {
  type ServerCommand,
  type ServerEnd,
  type ServerProcess,
  startServer,
} from "./server-process.ts";

/** What the relay around a child process needs. */
export interface StdioOptions extends ServerCommand, Pick<RelayOptions, "maxMessageBytes"> {
  /** Loads the gate while the server is starting already. */
  readonly loadGate: () => Promise<Gate>;
  /** How long the server may take for each step of its end. */
  readonly graceMs: number;
}

/** Where the client is. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Runs a server behind the gate until it has ended, and tells how it ended. */
export async function runStdio(client: ClientStreams, options: StdioOptions): Promise<ServerEnd> {
  const server = startServer(options);
  if (server.status === "not started") return server;
  const { tree } = server;
  const endTree = (): void => {
    tree.signal("SIGTERM");
  };
  process.once("exit", endTree);
  try {
    return await guard(server, client, options);
  } catch (thrown) {
    tree.signal("SIGKILL");
    throw thrown;
  } finally {
    client.input.destroy();
    process.removeListener("exit", endTree);
  }
}

async function guard(
  server: ServerProcess,
  { input, output }: ClientStreams,
  options: StdioOptions,
): Promise<ServerEnd> {
  const { toServer, fromServer, tree, ended } = server;
  const ending = createEndServer(server, options.graceMs);
  const giveUp = (): void => {
    toServer.end();
    ending.afterInput();
  };
  const stopPassing = passSignals((name) => {
    tree.signal(name);
    if (name === "SIGTERM") ending.afterSignal();
  });
  try {
    output.on("error", giveUp);
    fromServer.once("end", giveUp);
    const gate = options.loadGate();
    const streams = { fromClient: input, toServer, fromServer, toClient: output };
    const relayed = relayLines(streams, {
      ...options,
      gate: deferredGate(gate),
      attemptKey: `stdio-${process.pid}`,
      onClientEnd: ending.afterInput,
    });
    // A gate that cannot be made ends it all.
    const end = await Promise.race([ended, gate.then(async () => ended)]);
    await ending.remains();
    await relayed;
    return end;
  } finally {
    stopPassing();
  }
}

/** The signals that ask a process to end; hosts and terminals send them. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];

/** Hands our own signals to a listener instead of dying of them; returns the function that stops it. */
export function passSignals(listener: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.removeListener(name, listener);
  };
}
