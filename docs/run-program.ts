import { pathToFileURL } from "node:url";
import { vi } from "vitest";

/** Runs a program and returns its output. */
export async function runProgram(file: string): Promise<string> {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...values: unknown[]) => {
    printed.push(
      values
        .map((value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2)))
        .join(" "),
    );
  });
  // The contract's own log is not output of the program.
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    return printed.join("\n");
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}
