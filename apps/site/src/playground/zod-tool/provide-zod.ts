import * as z from "zod";

/** Makes `z` known to the code that defines a tool. */
export function provideZod(): void {
  // Compiling validators would need `unsafe-eval`.
  z.config({ jitless: true });
  (globalThis as unknown as Record<string, unknown>)["z"] = z;
}
