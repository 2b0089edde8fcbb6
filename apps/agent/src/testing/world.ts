import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { serveWire, type WireScript, type WireServer } from "@toolcontract/wire";
import { inject, type TestContext } from "vitest";
import { runCommand } from "../run-command.ts";
import { type AgentProcess, type Ended, startProcess } from "./agent-process.ts";
import { type WatchedServers, watchServers } from "./watched-servers.ts";

/** How the command is started. */
interface StartOptions {
  /** Environment variables beside those of the world. */
  readonly env?: Readonly<Record<string, string>>;
  /** What stdin has; by default it is empty. */
  readonly stdin?: string;
}

/** Folders, models and servers of one test, which are gone when it has ended. */
export interface World {
  /** It has the working directory `work`, the home directory `home` and the temporary directory `tmp`. */
  readonly folder: string;
  readonly servers: WatchedServers;
  /** Writes a file, an object as JSON, and answers its path. */
  readonly write: (path: string, content: string | object) => string;
  /** Starts a server with models. */
  readonly serve: (script: WireScript) => Promise<WireServer>;
  /** Starts the command as a process; stdin stays open. */
  readonly start: (args: readonly string[], options?: Pick<StartOptions, "env">) => AgentProcess;
  /** Runs the command to its end, in this process: loading it takes longer than most runs. */
  readonly run: (args: readonly string[], options?: StartOptions) => Promise<Ended>;
  /** Runs the command to its end as a process. */
  readonly runProcess: (args: readonly string[], options?: StartOptions) => Promise<Ended>;
  /** Starts another program in the same place. */
  readonly startProgram: (
    command: string,
    args: readonly string[],
    env?: StartOptions["env"],
  ) => AgentProcess;
  /** Installs the command in a folder of its own, and answers its program. */
  readonly install: (files: Readonly<Record<string, string>>) => string;
  /** The names in the temporary directory. */
  readonly temporary: () => readonly string[];
  /** Calls something when the test has ended. */
  readonly onEnd: (end: () => unknown) => void;
}

/** A busy machine starts a server so late that the command reports it. */
function withoutSlowStarts(stderr: string): string {
  return stderr.replaceAll(/^toolcontract-agent: \S+ has not started yet; .*\n/gmu, "");
}

/** The program of the built command. */
export const programIn = (folder: string): string => join(folder, "main.js");

/** Creates the world of a test. */
export async function createWorld({
  onTestFinished,
}: Pick<TestContext, "onTestFinished">): Promise<World> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolcontract-e2e-")));
  for (const name of ["project", "home", "tmp"]) mkdirSync(join(folder, name));
  const servers = await watchServers();
  const processes: AgentProcess[] = [];
  const ends: (() => unknown)[] = [];
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(inject("command"), "compiled"),
  };
  const write: World["write"] = (path, content) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  };
  const startProgram: World["startProgram"] = (command, args, env = {}) => {
    const started = startProcess(command, args, {
      cwd: join(folder, "project"),
      env: { ...own, ...env },
    });
    processes.push(started);
    return started;
  };
  const start: World["start"] = (args, { env } = {}) =>
    startProgram(process.execPath, [programIn(inject("command")), ...args], env);
  onTestFinished(async () => {
    for (const { child, ended } of processes) {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    }
    await servers.end();
    for (const one of ends) await one();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    servers,
    write,
    start,
    startProgram,
    async serve(script) {
      const server = await serveWire(script);
      ends.push(async () => server.close());
      return server;
    },
    async run(args, { stdin = "", env = {} } = {}) {
      const streams = {
        stdin: new PassThrough(),
        stdout: new PassThrough(),
        stderr: new PassThrough(),
      };
      streams.stdin.end(stdin);
      const written = Promise.all([text(streams.stdout), text(streams.stderr)]);
      const exitCode = await runCommand(args, {
        ...streams,
        env: { ...own, ...env },
        cwd: () => join(folder, "project"),
        program: inject("command"),
        signal: new AbortController().signal,
      });
      streams.stdout.end();
      streams.stderr.end();
      const [stdout, stderr] = await written;
      return { exitCode, stdout, stderr: withoutSlowStarts(stderr) };
    },
    async runProcess(args, { stdin, env = {} } = {}) {
      const { child, ended } = start(args, { env });
      child.stdin?.end(stdin);
      const left = await ended;
      return { ...left, stderr: withoutSlowStarts(left.stderr) };
    },
    install(files) {
      const copy = mkdtempSync(`${inject("command")}-`);
      ends.push(() => rmSync(copy, { recursive: true, force: true }));
      for (const file of globSync("*.js", { cwd: inject("command") })) {
        copyFileSync(join(inject("command"), file), join(copy, file));
      }
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(copy, path)), { recursive: true });
        writeFileSync(join(copy, path), content);
      }
      return programIn(copy);
    },
    temporary: () => readdirSync(join(folder, "tmp")),
    onEnd: (end) => void ends.push(end),
  };
}
