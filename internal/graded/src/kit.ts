import { readFile } from "node:fs/promises";
import type { KitEnvironment, KitTool } from "@toolcontract/conformance";

/** What a program needs of the kit, read from its environment. */
export interface Kit {
  /** Where the model is; ends in `/v1`. */
  readonly baseUrl: string;
  readonly prompt: string;
  readonly isStream: boolean;
  readonly tools: readonly KitTool[];
  /** JSON Schema of the final answer, if the run has to end with one. */
  readonly answer?: Readonly<Record<string, unknown>>;
  /** Reports the final answer; a run that has none reports nothing. */
  readonly answered: (value: unknown) => Promise<void>;
  /** Where a program in another runtime reports that a tool ran, and reads its result. */
  readonly ranUrl: string;
  /** Runs a tool: the kit has its result. */
  readonly run: (name: string, input: unknown) => Promise<string>;
  /** Asks the person to allow a call; the kit always does. */
  readonly approve: (name: string, input: unknown) => Promise<void>;
}

/** Makes a schema of the framework's kind from JSON Schema. */
export type SchemaOf = (schema: Readonly<Record<string, unknown>>) => unknown;

/** A framework as its own documentation shows it: one conversation. */
export type Graded = (kit: Kit) => Promise<void>;

/** Reads the environment of one scenario. */
export async function readKit(environment: KitEnvironment): Promise<Kit> {
  const { KIT_BASE_URL, KIT_PROMPT, KIT_STREAM, KIT_TOOLS, KIT_RAN_URL, KIT_APPROVE_URL } =
    environment;
  const { KIT_ANSWER, KIT_ANSWERED_URL } = environment;
  return {
    baseUrl: KIT_BASE_URL,
    prompt: KIT_PROMPT,
    isStream: KIT_STREAM === "1",
    ranUrl: KIT_RAN_URL,
    tools: JSON.parse(await readFile(KIT_TOOLS, "utf8")) as readonly KitTool[],
    ...(KIT_ANSWER !== "" && { answer: await readJson(KIT_ANSWER) }),
    async answered(value) {
      if (value === undefined) return;
      await fetch(KIT_ANSWERED_URL, { method: "POST", body: JSON.stringify(value) });
    },
    async run(name, input) {
      const body = JSON.stringify({ name, arguments: input });
      return (await fetch(KIT_RAN_URL, { method: "POST", body })).text();
    },
    async approve(name, input) {
      const body = JSON.stringify({ name, arguments: input });
      await fetch(KIT_APPROVE_URL, { method: "POST", body });
    },
  };
}

async function readJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>;
}
