/** The outcome of a cell of the matrix. */
export type Outcome = "passed" | "failed" | "skipped";

/** Thrown by a cell that cannot run here, with the reason. */
export class Skipped extends Error {}

/** Runs a cell and prints its line; never throws. */
export async function attempt(name: string, run: () => Promise<void> | void): Promise<Outcome> {
  try {
    await run();
    console.log(`passed   ${name}`);
    return "passed";
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    if (thrown instanceof Skipped) {
      console.log(`skipped  ${name}: ${reason}`);
      return "skipped";
    }
    console.log(`FAILED   ${name}\n${reason.replaceAll(/^/gm, "         ")}`);
    return "failed";
  }
}
