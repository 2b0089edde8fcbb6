import { PassThrough, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { onTestFinished } from "vitest";
import { type Proxy, proxyOn } from "./proxy-streams.ts";
import { runOn } from "./run-main.ts";

const SIGNAL = "SIGTERM";
const others = new Set(process.listeners(SIGNAL));

/** Ends what runs as a signal ends it; the first one lets calls in flight end. */
function signal(): void {
  for (const listener of process.listeners(SIGNAL)) if (!others.has(listener)) listener(SIGNAL);
}

const ONE_READ = 65_536;

/** Passes on what is written in such parts as are read from a pipe. */
function pipe(): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      for (let at = 0; at < chunk.length; at += ONE_READ) {
        this.push(chunk.subarray(at, at + ONE_READ));
      }
      done();
    },
  });
}

/**
 * Runs the command in the test's own process, where it starts in no time, until its server or the test ends. A test of signals,
 * pipes or what a process leaves behind starts one instead.
 */
export function runProxy(args: readonly string[], env: NodeJS.ProcessEnv = {}): Proxy {
  const streams = {
    stdin: pipe(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const run = async (): Promise<number> => {
    const own = { ...process.env, TOOLCONTRACT_CONFIG: "off", ...env };
    const code = await runOn(streams, args, own);
    await Promise.all([finished(streams.stdout), finished(streams.stderr)]);
    return code;
  };
  const proxy = proxyOn(streams, run());
  onTestFinished(async () => {
    proxy.endInput();
    signal();
    signal();
    await proxy.exited;
  });
  return proxy;
}
