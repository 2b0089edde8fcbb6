// Runs one program once, as the kit starts it: `node internal/graded/src/main.ts ai-sdk contract`.
import type { KitEnvironment } from "@toolcontract/conformance";
import { readKit } from "./kit.ts";
import { programOf } from "./subjects.ts";

const [framework = "", kind = ""] = process.argv.slice(2);
const program = await programOf(framework, kind);
await program(await readKit(process.env as unknown as KitEnvironment));
