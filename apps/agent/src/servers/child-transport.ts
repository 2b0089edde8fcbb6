import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  deserializeMessage,
  type JSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { type SpawnedServer, spawnServer } from "@toolcontract/mcp-client";
import type { StdioServerConfig } from "../settings/index.ts";
import { createLines, idIn, type Line, type LongLine, MAX_LINE } from "./lines.ts";

/** How long a server has to end by itself, and then after SIGTERM. */
const STEP_MS = 2_000;
/** How long the output of a server that has ended is read, if a process of its own keeps it open. */
const DRAIN_MS = 1_000;
/** A code of the implementation's own, as JSON-RPC has them. */
const TOO_LONG = -32_005;
const MAX_TAIL = 8_192;
const LAST_LINES = 10;

/**
 * A server as a child process, over stdio.
 *
 * @remarks Not the SDK's own transport: that one neither says how a server ended nor reaches what a launcher such as npx
 * has started.
 */
export class ChildTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  readonly #server: StdioServerConfig;
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #lines = createLines();
  /** The requests that wait for an answer, in the order in which they were sent. */
  readonly #waiting = new Set<RequestId>();
  #tree: SpawnedServer["tree"] | undefined;
  #input: Writable | undefined;
  #ended: Promise<void> = Promise.resolve();
  #end: string | undefined;
  #errors = "";

  /**
   * @param cwd - The working directory of servers that name none.
   * @param env - Its variables, beside the few that every server gets.
   */
  constructor(server: StdioServerConfig, cwd: string, env: Readonly<Record<string, string>>) {
    this.#server = server;
    this.#cwd = cwd;
    this.#env = env;
  }

  /** How the process ended, as the rest of a sentence; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** The last lines that it wrote to its standard error. */
  get lastLines(): readonly string[] {
    const lines = this.#errors.split(/\r?\n/u).filter((line) => line.trim() !== "");
    return lines.slice(-LAST_LINES);
  }

  /** Where it runs. */
  get cwd(): string {
    return this.#server.cwd ?? this.#cwd;
  }

  async start(): Promise<void> {
    const { command, args } = this.#server;
    const env = { ...getDefaultEnvironment(), ...this.#env };
    const spawned = spawnServer({ command, args, cwd: this.cwd, env }, "pipe");
    const child = spawned.child as ChildProcessWithoutNullStreams;
    this.#tree = spawned.tree;
    this.#input = child.stdin;
    this.#read(child.stdout, child.stderr);
    child.stdin.on("error", (error) => this.onerror?.(error));
    this.#ended = this.#untilEnded(child);
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#input;
    if (input?.writable !== true) throw new Error("Not connected");
    if ("id" in message && "method" in message) this.#waiting.add(message.id);
    if (input.write(serializeMessage(message))) return;
    await Promise.race([new Promise((resolve) => input.once("drain", resolve)), this.#ended]);
  }

  /** Ends the server and all that it has started: the end of its input, then SIGTERM, then SIGKILL. */
  async close(): Promise<void> {
    this.#input?.end();
    await this.#upTo(STEP_MS);
    if (this.#tree?.signal("SIGTERM") === true) await this.#upTo(STEP_MS);
    this.kill();
    await this.#ended;
  }

  /** Ends them at once. */
  kill(): void {
    this.#tree?.signal("SIGKILL");
  }

  async #upTo(milliseconds: number): Promise<void> {
    const ending = new AbortController();
    const { signal } = ending;
    const late = sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    await Promise.race([this.#ended, late]);
    ending.abort();
  }

  #read(output: Readable, errors: Readable): void {
    output.on("data", (chunk: Buffer) => {
      for (const line of this.#lines.push(chunk)) this.#deliver(line);
    });
    errors.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-MAX_TAIL);
    });
  }

  #deliver(line: Line): void {
    try {
      const message = "text" in line ? deserializeMessage(line.text) : this.#tooLong(line);
      if (!message) return;
      if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
      this.onmessage?.(message);
    } catch (thrown) {
      // What is not JSON was not meant for the protocol.
      if (!(thrown instanceof SyntaxError)) this.onerror?.(thrown as Error);
    }
  }

  /** The answer that stands for one that was too long to be read. */
  #tooLong({ bytes, start, end }: LongLine): JSONRPCMessage | undefined {
    const [oldest] = this.#waiting;
    const id = idIn(start, end, this.#waiting) ?? oldest;
    if (id === undefined) return undefined;
    const message = `its answer is too long: ${bytes} bytes, and at most ${MAX_LINE} are read`;
    return { jsonrpc: "2.0", id, error: { code: TOO_LONG, message } };
  }

  async #untilEnded(child: ChildProcess): Promise<void> {
    await new Promise<void>((resolve) => {
      child.once("error", () => child.pid === undefined && resolve());
      child.once("close", () => resolve());
      child.once("exit", (code, signal) => {
        this.#end ??= code === null ? `was ended by ${signal}` : `exited with code ${code}`;
        setTimeout(resolve, DRAIN_MS).unref();
      });
    });
    child.stdout?.destroy();
    child.stderr?.destroy();
    this.onclose?.();
  }
}
