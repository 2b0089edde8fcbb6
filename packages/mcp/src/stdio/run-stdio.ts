import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import {
  createEndServer,
  type ServerCommand,
  type ServerEnd,
  type ServerProcess,
  startServer,
} from "@toolcontract/mcp-client";
import type { Gate } from "../gate/index.ts";
import { deferredGate } from "./deferred-gate.ts";
import { relayLines, type RelayOptions } from "./relay-lines.ts";

/** The server's command, and how to relay to it. */
export interface StdioOptions
  extends
    Pick<ServerCommand, "command" | "args">,
    Pick<RelayOptions, "maxMessageBytes" | "maxResultBytes" | "onStopping"> {
  /** Loads the gate while the server is starting. */
  readonly loadGate: () => Promise<Gate>;
  /** How long open requests may take once the client's input has ended or a signal has come. */
  readonly graceMs: number;
  /** Takes the server's standard error; without it, the server inherits ours. */
  readonly errors: ((bytes: Buffer) => void) | undefined;
}

/** The longest time between the closed input, SIGTERM and SIGKILL: hosts wait two seconds before they kill the proxy. */
const LONGEST_STEP_MS = 1_000;

/** The client's end of the relay. */
export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Runs a server behind the gate; resolves when it has ended. */
export async function runStdio(client: ClientStreams, options: StdioOptions): Promise<ServerEnd> {
  const server = startServer(options, options.errors ? "pipe" : "inherit");
  if (server.status === "not started") return server;
  const { tree } = server;
  const endTree = (): void => {
    tree.signal("SIGTERM");
  };
  process.once("exit", endTree);
  if (options.errors) server.errors?.on("data", options.errors);
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
  const { toServer, fromServer, ended } = server;
  const ending = createEndServer(server, Math.min(options.graceMs, LONGEST_STEP_MS));
  const stopping = new AbortController();
  const giveUp = (): void => {
    toServer.end();
    ending.afterInput();
  };
  const stopListening = onSignal(() => {
    // Hosts close the input first: for them, a signal says that they wait no longer.
    const isFirst = !stopping.signal.aborted && !input.readableEnded && !input.destroyed;
    stopping.abort();
    if (isFirst) return;
    toServer.end();
    ending.now();
  });
  try {
    output.on("error", giveUp);
    fromServer.once("end", giveUp);
    const gate = options.loadGate();
    const streams = { fromClient: input, toServer, fromServer, toClient: output };
    const relayed = relayLines(streams, {
      ...options,
      gate: deferredGate(gate),
      // A process id alone is not unique: in a container it is often 1, and several may share a store.
      attemptKey: `stdio-${process.pid}-${randomUUID().slice(0, 8)}`,
      stopping: stopping.signal,
      onDrained: ending.afterInput,
    });
    // Rejects if the gate cannot be created, which ends everything.
    const end = await Promise.race([ended, gate.then(async () => ended)]);
    await ending.remains();
    await relayed;
    return end;
  } finally {
    stopListening();
  }
}

/** The signals with which hosts and terminals ask a process to end; SIGHUP reads the configuration again. */
const SIGNALS: readonly NodeJS.Signals[] =
  process.platform === "win32"
    ? ["SIGINT", "SIGTERM", "SIGBREAK"]
    : ["SIGINT", "SIGTERM", "SIGQUIT"];

/** Calls a listener on these signals, instead of ending the process; returns a function that stops it. */
export function onSignal(listener: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.removeListener(name, listener);
  };
}
