import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Answer, Job } from "./runner.ts";

/** Why there is no answer. */
export type Lost = "timeout" | "crashed";

const running = new Set<ChildProcess>();

/** A runner that is started when it is needed, and again after it was lost. */
export class RunnerProcess {
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  constructor(environment: Readonly<Record<string, string>>) {
    const preload = pathToFileURL(join(import.meta.dirname, "preload.ts")).href;
    const options = `${process.env["NODE_OPTIONS"] ?? ""} --import=${preload}`.trim();
    // In CI, vitest never writes a snapshot.
    this.#environment = { ...process.env, CI: "true", NODE_OPTIONS: options, ...environment };
  }

  async run(job: Job, limit: number): Promise<Answer | Lost> {
    const child = this.#child ?? (await this.#start());
    if (child === undefined) return "crashed";
    return new Promise<Answer | Lost>((done) => {
      const finish = (answer: Answer | Lost): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (typeof answer === "string") this.stop();
        done(answer);
      };
      const timer = setTimeout(() => finish("timeout"), limit);
      child.once("message", (answer) => finish(answer as Answer));
      child.once("exit", () => finish("crashed"));
      child.send(job);
    });
  }

  stop(): void {
    if (this.#child !== undefined) kill(this.#child);
    this.#child = undefined;
  }

  async #start(): Promise<ChildProcess | undefined> {
    const child = fork(join(import.meta.dirname, "runner.ts"), {
      // A group of its own, so that a worker that never returns ends with it.
      detached: true,
      env: this.#environment,
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    running.add(child);
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const [first] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [
      unknown,
    ];
    if (first !== "ready") throw new Error(`No test runner: ${errors}`);
    this.#child = child;
    return child;
  }
}

/** Ends every runner and what it started, so that nothing is left after an interrupt. */
export function killRunners(): void {
  for (const child of running) kill(child);
}

function kill(child: ChildProcess): void {
  running.delete(child);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
