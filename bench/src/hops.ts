// `pnpm bench:hops [--files]`: how many source files of each package run for one call.
import { Session } from "node:inspector/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Contract, createContract } from "@toolcontract/core";
import { z } from "zod";
import { runNode } from "./cold/run-node.ts";
import { corpusCall } from "./corpus.ts";
import { typicalCall, typicalTool } from "./typical-call.ts";

const PACKAGES = resolve(import.meta.dirname, "../../packages");
const { name } = typicalTool;
const description = "Writes a file.";
const zodFields = z.strictObject({
  path: z.string(),
  content: z.string().max(1_048_576),
  encoding: z.enum(["utf-8", "ascii", "utf-16"]).optional(),
  mode: z.int().min(0).max(511).optional(),
});

/** Two faults: a wrong type and a misspelt enum value. */
const invalidCall = corpusCall(typicalTool, { path: "x", content: 5, encoding: "uft8" });

type Run = () => Promise<unknown>;

/** Each loads and sets up what a host sets up once and returns the call to measure. */
const SCENARIOS: Readonly<Record<string, () => Promise<Run> | Run>> = {
  "core handle(), JSON Schema, 2 faults, first call": () => handling(createContract(), invalidCall),
  "core handle(), JSON Schema, 2 faults, warm": () => warm(handling(createContract(), invalidCall)),
  "core handle(), JSON Schema, valid, warm": async () => {
    const contract = createContract();
    await handling(contract, invalidCall)();
    return warm(handling(contract, typicalCall));
  },
  "ai-sdk generateText, zod, 2 faults, first call": async () => {
    const { generateText, isStepCount, tool } = await import("ai");
    const { withContract } = await import("@toolcontract/ai-sdk");
    const { modelThatCalls } = await import("@toolcontract/frameworks/ai-sdk");
    const tools = {
      [name]: tool({ description, inputSchema: zodFields, execute: () => "ok" }),
    };
    const settings = withContract({ tools, stopWhen: isStepCount(2) });
    return async () =>
      generateText({ ...settings, model: modelThatCalls(invalidCall), prompt: "Go" });
  },
  "langchain middleware, zod, 2 faults, first call": agentRun,
  "langchain wrapTool, zod, 2 faults, core warm": async () => {
    const { wrapTool } = await import("@toolcontract/langchain");
    const run = await agentRun();
    await run();
    const wrapped = wrapTool(await zodTool());
    const { args } = invalidCall;
    return async () => wrapped.invoke({ type: "tool_call", id: "call_1", name, args });
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: "boolean", default: false } },
});
const scenario = SCENARIOS[positionals[0] ?? ""];
if (scenario === undefined) await printAll();
else process.stdout.write(JSON.stringify(await filesRunBy(await scenario())));

/** Every scenario gets a new process, so that none finds the caches of another. */
async function printAll(): Promise<void> {
  const rows: (readonly [scenario: string, files: readonly string[]])[] = [];
  for (const row of Object.keys(SCENARIOS)) {
    const printed = await runNode([import.meta.filename, row], process.cwd());
    rows.push([row, JSON.parse(printed) as string[]]);
  }
  const packages = [...new Set(rows.flatMap(([, files]) => files.map(packageOf)))];
  const width = Math.max(...Object.keys(SCENARIOS).map(({ length }) => length));
  const line = (first: string, cells: readonly (string | number)[]): string =>
    [first.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join("");
  console.log(line("source files that run", [...packages, "all"]));
  for (const [row, files] of rows) {
    const counts = packages.map((one) => files.filter((file) => packageOf(file) === one).length);
    console.log(line(row, [...counts, files.length]));
    if (values.files) console.log(files.map((file) => `  ${file}`).join("\n"));
  }
}

function packageOf(file: string): string {
  return file.slice(0, file.indexOf("/"));
}

/** The files under packages/ with a function that was called; code that runs on import does not count. */
async function filesRunBy(run: Run): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url, functions }) => ({ file: relative(PACKAGES, fileURLToPath(url)), functions }))
    .filter(({ file }) => /^[^/.]+\/src\//.test(file))
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges: [range] }) => {
        const isModule = functionName === "" && range?.startOffset === 0;
        return !isModule && (range?.count ?? 0) > 0;
      }),
    )
    .map(({ file }) => file)
    .toSorted();
}

function handling(contract: Contract, { tool, text }: typeof typicalCall): Run {
  const call = { id: "call_1", name, arguments: text };
  return async () => contract.handle(call, { tool, conversationId: "1", execute: () => "ok" });
}

async function warm(run: Run): Promise<Run> {
  await run();
  return run;
}

async function agentRun(): Promise<Run> {
  const { HumanMessage } = await import("@langchain/core/messages");
  const { ChatModelThatCalls } = await import("@toolcontract/frameworks/langchain");
  const { toolContractMiddleware } = await import("@toolcontract/langchain");
  const { createAgent } = await import("langchain");
  const model = new ChatModelThatCalls(invalidCall);
  const tools = [await zodTool()];
  const agent = createAgent({ model, tools, middleware: [toolContractMiddleware()] });
  return async () => agent.invoke({ messages: [new HumanMessage("Go")] });
}

async function zodTool() {
  const { tool } = await import("@langchain/core/tools");
  return tool(() => "ok", { name, description, schema: zodFields });
}
