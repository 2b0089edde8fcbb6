import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isRecord } from "@toolcontract/core/adapter";
import {
  type TargetRequest,
  type OfferedTool,
  type ReportFormat,
  TurnFailed,
  type TurnRequest,
} from "@toolcontract/session";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import type { HookedRequest, ModelHandler } from "../hooks.ts";
import { textOfMessage } from "../messages.ts";
import { watchAlso } from "../offered-names.ts";
import type { MiddlewareGuard } from "../options.ts";
import { promoteInvalidToolCalls } from "../promote.ts";
import { isInvokable } from "../sibling-call.ts";
import { isNamedTool } from "../tool-definitions.ts";
import { structuredOutputNames } from "../wrap-model-call.ts";
import type { CurrentRun } from "./current-run.ts";
import { breaksOff, factsOfReply, isStructured, withThoughts, withToolNames } from "./reply.ts";
import { type AgentTarget, isOtherModel } from "./targets.ts";
import { canStream, hearing } from "./token-watch.ts";
import { inXml, overXml } from "./xml.ts";

type RequestTool = HookedRequest["tools"][number];

/** What the turns of all runs share. */
interface TurnOptions {
  readonly guard: MiddlewareGuard;
  readonly targets: readonly AgentTarget[];
  /** Undefined if the report is text. */
  readonly reportTool: RequestTool | undefined;
  readonly format: ReportFormat;
  /** Whether time limits apply to the parts of an answer, which models then have to stream. */
  readonly isWatching: boolean;
}

/** Takes one turn of a run: each attempt is one call of the handler. */
export async function takeTurn(
  { run }: CurrentRun,
  given: HookedRequest,
  handler: ModelHandler,
  { guard, targets, reportTool, format, isWatching }: TurnOptions,
): Promise<AIMessage> {
  const isOutput = structuredOutputNames(given);
  const isOffered = reportTool === undefined || given.tools.includes(reportTool);
  const tools = isOffered ? given.tools : [...given.tools, reportTool];
  const request = { ...given, tools, messages: inXml(run, given.messages) };
  noteProviderTools(run, tools);
  if (isOtherModel(given.model, targets)) run.notJudged("model");
  const thoughts: AIMessage[] = [];
  try {
    for (;;) {
      const { reply, verdict } = await run.turn(
        { ...turnRequestOf(request, thoughts), isStreamed: isWatching && canStream },
        async (attempt) => {
          const xml = overXml(run, attempt);
          const sent = xml.request(requestForTarget(attempt, request, thoughts));
          const raw = await hearing(
            () => attempt.heard(),
            () => handler(sent),
          );
          // What a stream says of its calls is in no other message.
          const whole = promoted(raw, guard);
          const { reply: read, withTags } = xml.read(whole);
          const named = withToolNames(read, (name) =>
            isOutput(name) ? name : attempt.toolName(name),
          );
          const answer = named;
          const facts = {
            ...factsOfReply(answer, isOutput),
            ...(breaksOff(raw) && { streamed: true }),
          };
          return { reply: answer, verdict: attempt.end(withTags(facts)) };
        },
      );
      if (verdict === "complete") {
        if (isStructured(reply)) takeStructured(run, reply.structuredResponse, format);
        return withThoughts(reply, thoughts, guard) as AIMessage;
      }
      thoughts.push(reply as AIMessage);
    }
  } catch (thrown) {
    // Version 1.0 rewrites the message of an error that a hook throws; the session reports its own error, the cause.
    throw thrown instanceof TurnFailed ? new Error(thrown.message, { cause: thrown }) : thrown;
  }
}

function promoted(reply: unknown, guard: MiddlewareGuard): unknown {
  return AIMessage.isInstance(reply) ? promoteInvalidToolCalls(reply, guard) : reply;
}

/** Structured output is the report. */
function takeStructured(run: CurrentRun["run"], output: unknown, format: ReportFormat): void {
  const content =
    format === "json" ? { content_json: output } : { content: JSON.stringify(output) };
  run.report({ format, ...content });
}

/** The request as the session counts it. */
function turnRequestOf(
  { tools, messages, runtime, ...request }: HookedRequest,
  thoughts: readonly AIMessage[],
): TurnRequest {
  return {
    tools: tools.map(offered),
    messages: () => {
      const system = { role: "system", text: systemTextOf(request) };
      return [system, ...[...messages, ...thoughts].map(asText)];
    },
    signal: runtime.signal,
  };
}

function asText(message: BaseMessage): { readonly role: string; readonly text: string } {
  return {
    role: AIMessage.isInstance(message) ? "assistant" : message.getType(),
    text: textOfMessage(message),
  };
}

/** The system prompt of a request; version 1.0 has only the string. */
export function systemTextOf({
  systemMessage,
  systemPrompt,
}: Partial<Pick<HookedRequest, "systemMessage" | "systemPrompt">>): string {
  return systemMessage ? textOfMessage(systemMessage) : (systemPrompt ?? "");
}

const convertedOutputs = new WeakMap<object, unknown>();

/** A tool as the session counts it. Its schema is converted only if tokens are counted. */
function offered(tool: RequestTool): OfferedTool {
  const given: unknown = tool;
  if (!isNamedTool(given)) return { name: "", inputSchema: given, isProviderDefined: true };
  const { name, schema } = given;
  const description = "description" in given ? String(given.description) : undefined;
  return {
    name,
    description,
    isProviderDefined: !isInvokable(given),
    get inputSchema() {
      if (!isRecord(schema)) return schema;
      if (!convertedOutputs.has(schema)) convertedOutputs.set(schema, convertOutputSchema(schema));
      return convertedOutputs.get(schema);
    },
  };
}

function convertOutputSchema(schema: object): unknown {
  try {
    return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]);
  } catch {
    // A few zod schemas have no JSON Schema.
    return undefined;
  }
}

function noteProviderTools(run: CurrentRun["run"], tools: readonly unknown[]): void {
  if (tools.every(isInvokable)) return;
  run.notJudged("provider-tool");
}

/** The request as one target gets it. */
function requestForTarget(
  { target, notices, onlyReport, signal }: TargetRequest<AgentTarget>,
  request: HookedRequest,
  thoughts: readonly AIMessage[],
): HookedRequest {
  const { messages, tools, toolChoice, modelSettings } = request;
  return {
    ...request,
    model: watchAlso(request.model, target.model),
    messages: [...messages, ...thoughts, ...notices.map((text) => new HumanMessage(text))],
    modelSettings: { ...modelSettings, maxRetries: 0, signal, ...target.settings },
    ...(onlyReport && {
      tools: tools.filter((tool) => isNamedTool(tool) && tool.name === REPORT_TOOL),
      // A choice made for other tools would fail at the provider; text is an answer too.
      ...(toolChoice !== undefined && { toolChoice: "auto" as const }),
    }),
  };
}
