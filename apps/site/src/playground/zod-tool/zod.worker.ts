// Makes `z` known to the code that defines a tool.
import * as z from "zod";

// Compiling validators would need `unsafe-eval`.
z.config({ jitless: true });
(globalThis as unknown as Record<string, unknown>)["z"] = z;
