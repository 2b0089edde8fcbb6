import assert from "node:assert/strict";
import { serveWire, type WireReply } from "@toolcontract/wire";
import type { Place } from "../place.ts";
import { type Form, runProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";

/** What a run printed: its result, the waits between its attempts, and who was asked. */
interface Printed {
  readonly success: boolean;
  readonly content?: string;
  readonly error?: string;
  readonly waits: readonly number[];
  readonly entries: readonly string[];
}

const BUSY: WireReply = { status: 429, message: "slow down", headers: { "retry-after": "7" } };
const READ: WireReply = { calls: [{ id: "call_1", name: "read", input: '{"path":"a"}' }] };
const REPORT: WireReply = {
  calls: [
    {
      id: "call_2",
      name: "agent__final_report",
      input: '{"format":"markdown","content":"Notes."}',
    },
  ],
};

/** What the server answers, and what must come of it; attempts go to OpenAI, then to Anthropic. */
const SCENES: Readonly<Record<string, readonly [readonly WireReply[], Printed]>> = {
  "a rate limit and a broken answer": [
    [BUSY, READ, { text: "Half of", cutAfter: 1 }, REPORT],
    {
      success: true,
      content: "Notes.",
      // The next target is asked at once; the one that limits is asked again when the other has failed.
      waits: [7_000],
      entries: [
        "openai failed",
        "anthropic ok",
        "read ok",
        "anthropic failed",
        "openai ok",
        "agent__final_report ok",
      ],
    },
  ],
  "a wrong key": [
    [{ status: 401, message: "Incorrect API key provided" }],
    { success: false, error: "Incorrect API key provided", waits: [], entries: ["openai failed"] },
  ],
};

const PRINT = `
const { success, finalReport, error, accounting } = result;
console.log(JSON.stringify({
  success, content: finalReport?.content, error, waits,
  entries: accounting.map((one) => (one.command ?? one.provider.split(".")[0]) + " " + one.status),
}));`;

const LIMITS = `maxTurns: 4, toolTimeout: 5_000, queues: { files: { concurrent: 1 } }, queueOf: { read: "files" },
  logger: false, clock: () => 0, sleep: async (milliseconds) => void waits.push(milliseconds),`;

function sdkProgram(mode: "generateText" | "streamText", url: string): string {
  const options = `...options, prompt: "What is in a?"`;
  const call =
    mode === "generateText"
      ? `generateText({ ${options} })`
      : `streamText({ ${options}, onError: () => undefined })`;
  return `
import { agentSession } from "@toolcontract/ai-sdk/session";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { ${mode}, tool } from "ai";
import { z } from "zod";
const openai = createOpenAI({ baseURL: "${url}/v1", apiKey: "none" });
const anthropic = createAnthropic({ baseURL: "${url}/v1", apiKey: "none" });
const read = tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => "read " + path });
const waits = [];
const session = agentSession({
  targets: [{ model: openai.chat("gpt-5") }, { model: anthropic("claude-sonnet-4-5") }],
  tools: { read }, ${LIMITS}
});
const result = await session.run((options) => ${call});
${PRINT}`;
}

function agentProgram(url: string): string {
  return `
import { agentSession } from "@toolcontract/langchain/session";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, tool } from "langchain";
import { z } from "zod";
const openai = new ChatOpenAI({ model: "gpt-5", apiKey: "none", maxRetries: 0, configuration: { baseURL: "${url}/v1" } });
const anthropic = new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: "none", maxRetries: 0, anthropicApiUrl: "${url}" });
const schema = z.object({ path: z.string() });
const read = tool(async ({ path }) => "read " + path, { name: "read", description: "Reads", schema });
const waits = [];
const session = agentSession({ targets: [{ model: openai }, { model: anthropic }], ${LIMITS} });
const agent = createAgent({ model: openai, tools: [read], middleware: [session.middleware] });
const result = await session.run(agent, { messages: [{ role: "user", content: "What is in a?" }] });
${PRINT}`;
}

/** A cell for each scene: a program against a server that plays the scene. */
function cellsOf(name: string, programFor: (url: string) => string): readonly Cell[] {
  return Object.entries(SCENES).flatMap(([scene, [script, expected]]) =>
    (["esm", "cjs"] satisfies Form[]).map((form): Cell => ({
      name: `${name}: ${scene}, ${form}`,
      run: async (place) => {
        const server = await serveWire(script);
        try {
          const source = programFor(server.anthropicUrl);
          const printed = JSON.parse(
            await runProgram({ source, replaced: {} }, form, place),
          ) as Printed;
          const { error, ...rest } = expected;
          assert.deepEqual({ ...printed, error: undefined }, { ...rest, error: undefined });
          assert.equal(printed.error?.includes(error ?? "") ?? error === undefined, true);
          assert.equal(server.requests.length, script.length);
        } finally {
          await server.close();
        }
      },
    })),
  );
}

/** Sessions of the AI SDK, with its own providers. */
export function sdkSessionCells(): readonly Cell[] {
  return (["generateText", "streamText"] as const).flatMap((mode) =>
    cellsOf(mode, (url) => sdkProgram(mode, url)),
  );
}

/** Sessions of LangChain, with its own providers. */
export function agentSessionCells(): readonly Cell[] {
  return cellsOf("createAgent", agentProgram);
}

/** Which programs of the README print what follows them, and which block that is. */
const PARTS = { attempts: 3, context: 4, tools: 5, "the final report": 6, "calls in XML": 8 };

/** The parts alone, as the README shows them. */
export function sessionCells(): readonly Cell[] {
  const run = async (program: number, output: number, form: Form, place: Place): Promise<void> => {
    const readme = readmeOf("session", place);
    const source = readme.fence("ts", program);
    const printed = await runProgram({ source, replaced: {} }, form, place);
    assert.equal(printed.trimEnd(), readme.fence("text", output));
  };
  return Object.entries(PARTS).flatMap(([part, program]) =>
    (["esm", "cjs"] satisfies Form[]).map((form): Cell => ({
      name: `README, ${part}, ${form}`,
      run: (place) => run(program, program - 3, form, place),
    })),
  );
}
