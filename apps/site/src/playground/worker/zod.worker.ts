// What a tool in zod needs beside the engine.
import { provideZod } from "../zod-tool/index.ts";

provideZod();
