import {
  BasePlugin,
  BaseTool,
  FunctionTool,
  Gemini,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
} from "@google/adk";
import type { Content, FunctionDeclaration, Schema } from "@google/genai";
import {
  type Contract,
  createContract,
  type JsonSchema,
  type ToolDefinition,
} from "@toolcontract/core";
import { createVerdictBook, fromGeminiSchema, type VerdictBook } from "@toolcontract/core/adapter";
import type { Graded, Kit, SchemaOf } from "@toolcontract/graded/kit";
import { z } from "zod";

// As on docs/google-adk.md:

/** Stands in for a tool that does not exist: ADK would end the run. */
class MissingTool extends BaseTool {
  constructor(name: string) {
    super({ name, description: "Does not exist." });
  }

  override async runAsync(): Promise<unknown> {
    return undefined;
  }
}

/** Judges the calls of a runner's agents: `new Runner({ …, plugins: [new ContractPlugin(contract)] })`. */
export class ContractPlugin extends BasePlugin {
  readonly #book: VerdictBook;
  /** The tools of each agent's last request, by its invocation. */
  readonly #requests = new Map<string, LlmRequest>();
  readonly #known: readonly ToolDefinition[];

  /**
   * @param known - Tools whose schemas say more than Gemini's dialect, which has no `additionalProperties`: a zod schema as
   * `validator`, or the JSON Schema.
   */
  constructor(contract: Contract, known: readonly ToolDefinition[] = []) {
    super("contract");
    this.#book = createVerdictBook(contract);
    this.#known = known;
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: Parameters<BasePlugin["beforeModelCallback"]>[0]) {
    this.#requests.set(callbackContext.invocationId, llmRequest);
    return undefined;
  }

  override async afterModelCallback({
    callbackContext,
    llmResponse,
  }: Parameters<BasePlugin["afterModelCallback"]>[0]) {
    const request = this.#requests.get(callbackContext.invocationId);
    const parts = llmResponse.content?.parts ?? [];
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    if (request === undefined || llmResponse.partial || calls.length === 0) return undefined;
    for (const call of calls) {
      call.id ??= `adk-${crypto.randomUUID()}`;
      request.toolsDict[call.name ?? ""] ??= new MissingTool(call.name ?? "");
    }
    await this.#book.judge(
      calls.map(({ id = "", name = "", args }) => ({ id, name, arguments: args ?? {} })),
      {
        conversationId: callbackContext.sessionId,
        runId: callbackContext.invocationId,
        tools: definitionsIn(request).map(
          (tool) => this.#known.find(({ name }) => name === tool.name) ?? tool,
        ),
        finishReason: llmResponse.finishReason,
      },
    );
    return undefined;
  }

  override async beforeToolCallback({
    toolArgs,
    toolContext,
  }: Parameters<BasePlugin["beforeToolCallback"]>[0]) {
    const verdict = this.#book.of(toolContext.functionCallId ?? "");
    if (verdict === undefined) return undefined;
    if (verdict.status !== "admitted") return { error: verdict.result.content };
    Object.assign(toolArgs, verdict.input);
    return undefined;
  }

  override async afterRunCallback({
    invocationContext,
  }: Parameters<BasePlugin["afterRunCallback"]>[0]) {
    this.#requests.delete(invocationContext.invocationId);
  }
}

/** The tools that a request declares, with their schemas in Gemini's dialect. */
function definitionsIn({ config }: LlmRequest): readonly ToolDefinition[] {
  const declared = (config?.tools ?? []).flatMap((tool) =>
    "functionDeclarations" in tool ? (tool.functionDeclarations ?? []) : [],
  );
  return declared.map(({ name = "", parameters, parametersJsonSchema }: FunctionDeclaration) => ({
    name,
    inputSchema: (parametersJsonSchema ?? fromGeminiSchema(parameters ?? {})) as JsonSchema,
  }));
}

// Until here.

/** Tools by JSON Schema, in Gemini's dialect, which ADK does not validate. */
export const bare: Graded = async (kit) => ask(kit, (schema) => schema);

export const zod: Graded = async (kit) => ask(kit, z.fromJSONSchema);

export const contract: Graded = async (kit) => {
  const known = kit.tools.map(({ name, parameters: inputSchema }) => ({ name, inputSchema }));
  const plugin = new ContractPlugin(createContract({ logger: false }), known);
  await ask(kit, (schema) => schema, [plugin]);
};

async function ask(kit: Kit, schemaOf: SchemaOf, plugins: BasePlugin[] = []): Promise<void> {
  const { baseUrl, prompt, tools, run } = kit;
  const agent = new LlmAgent({
    name: "graded",
    model: new Gemini({ model: "gemini-scripted", apiKey: "none" }),
    generateContentConfig: { httpOptions: { baseUrl } },
    tools: tools.map(({ name, description, parameters }) => {
      return new FunctionTool({
        name,
        description,
        parameters: schemaOf(parameters) as Schema,
        execute: async (input: unknown) => ({ result: await run(name, input) }),
      });
    }),
  });
  const runner = new InMemoryRunner({ agent, appName: "graded", plugins });
  const session = await runner.sessionService.createSession({ appName: "graded", userId: "u" });
  const newMessage: Content = { role: "user", parts: [{ text: prompt }] };
  const events = runner.runAsync({ userId: "u", sessionId: session.id, newMessage });
  for await (const event of events) {
    if (event.errorCode) throw new Error(`${event.errorCode}: ${event.errorMessage}`);
  }
}
