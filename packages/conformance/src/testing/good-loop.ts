// A program as the kit starts it: the loop that has no flaw, or the one that is named.
import type { KitEnvironment } from "../play/index.ts";
import { type Flaw, runLoop } from "./loop.ts";

await runLoop(process.env as unknown as KitEnvironment, process.argv[2] as Flaw | undefined);
