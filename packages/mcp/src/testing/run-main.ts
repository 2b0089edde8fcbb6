import { vi } from "vitest";
import { main } from "../cli/index.ts";

/** What a command line has come to. */
export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command line in the test's own process, which costs no start; it must end without a signal or an input. */
export async function runMain(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = { TOOLCONTRACT_CONFIG: "off" },
): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      written[name] += chunk.toString();
      return true;
    }),
  );
  try {
    const packageUrl = new URL("../../package.json", import.meta.url);
    const code = await main({ argv, env, packageUrl });
    return { code, output: written.stdout, errors: written.stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
