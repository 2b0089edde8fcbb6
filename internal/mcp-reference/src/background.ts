import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process in the background of a test. */
export interface Background {
  /** What the pattern matched in its output. */
  readonly found: string;
  readonly close: () => Promise<void>;
}

/** Starts a command and waits for output that matches; `found` is the pattern's first group. */
export async function startBackground(
  command: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<Background> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const end = (): void => {
    child.kill("SIGTERM");
  };
  process.once("exit", end);
  let output = "";
  const found = await new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = ready.exec(output);
      if (match) resolve(match[1] ?? "");
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("error", reject);
    child.once("close", () => {
      reject(new Error(`${command.join(" ")} ended before it was ready: ${output}`));
    });
  });
  return {
    found,
    async close() {
      end();
      await ended;
      process.removeListener("exit", end);
    },
  };
}
