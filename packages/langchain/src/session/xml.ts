import {
  AIMessage,
  type AIMessageFields,
  type BaseMessage,
  HumanMessage,
} from "@langchain/core/messages";
import { isFunction, isRecord, parseJson, readMember } from "@toolcontract/core/adapter";
import type { TargetRequest, ReplyFacts } from "@toolcontract/session";
import type { XmlCallEvent, XmlEvent, XmlFinalEvent } from "@toolcontract/session/xml";
import type { HookedRequest } from "../hooks.ts";
import { finishReasonOf, type NativeCall, textOfMessage } from "../messages.ts";
import { readShownArguments } from "../promote.ts";
import { isInvokable } from "../sibling-call.ts";
import { isNamedTool } from "../tool-definitions.ts";
import type { CurrentRun } from "./current-run.ts";
import type { AgentTarget } from "./targets.ts";
import { withText, xmlHistory } from "./xml-history.ts";

/** An answer with the calls that its tags made. */
interface Translated {
  readonly reply: unknown;
  /** Adds to the facts of the answer what its tags say. */
  readonly withTags: (facts: ReplyFacts) => ReplyFacts;
}

/** The messages as XML has them: calls and results in text. Natively, they stay as they are. */
export function inXml({ xml }: CurrentRun["run"], messages: BaseMessage[]): BaseMessage[] {
  return xml ? xmlHistory(xml, messages) : messages;
}

/** One attempt over XML: what may be called is said in text, and tags of the answer become native calls. */
export function overXml(
  run: CurrentRun["run"],
  { next }: TargetRequest<AgentTarget>,
): {
  readonly request: (request: HookedRequest) => HookedRequest;
  readonly read: (reply: unknown) => Translated;
} {
  const { xml } = run;
  if (!xml || !next) {
    return {
      request: (request) => request,
      read: (reply) => ({ reply, withTags: (facts) => facts }),
    };
  }
  const instructions = xml.renderNext(next);
  const scanner = xml.createScanner(next);
  return {
    request(given) {
      // A choice among native tools does not apply to tags.
      const { toolChoice: _, ...request } = given;
      const tools = request.tools.filter((tool) =>
        xml.isOfferedNatively({
          name: isNamedTool(tool) ? tool.name : "",
          isProviderDefined: !isInvokable(tool),
        }),
      );
      return {
        ...request,
        model: withoutStreaming(request.model),
        messages: [...request.messages, new HumanMessage(instructions)],
        tools,
      };
    },
    read(reply) {
      if (!AIMessage.isInstance(reply)) return { reply, withTags: (facts) => facts };
      const stop = finishReasonOf(reply);
      const events = [...scanner.push(textOfMessage(reply))];
      const end = scanner.end(stop);
      events.push(...end.events);
      if (end.isStopUnknown) run.notJudged("stop-reason");
      return { reply: translated(reply, events), withTags: (facts) => xml.factsOf(facts, end) };
    },
  };
}

/** Tokens leave a model before any middleware sees them, and would show the tags. */
function withoutStreaming(model: HookedRequest["model"]): HookedRequest["model"] {
  const bind = readMember(model, "withConfig");
  if (!isFunction.fits(bind)) return model;
  const withConfig = bind as (config: object) => HookedRequest["model"];
  return withConfig.call(model, { tags: ["langsmith:nostream"] });
}

/** The answer with its tags as calls, as a provider's client would have read them. */
function translated(message: AIMessage, events: readonly XmlEvent[]): AIMessage {
  const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  const calls = events.flatMap((event) =>
    event.type === "text" || event.type === "ignored" ? [] : [event],
  );
  const said = withText(message, text.trim() === "" ? "" : text);
  if (calls.length === 0) return said;
  const { content, id, name, additional_kwargs, usage_metadata, response_metadata } = said;
  const fields = {
    content,
    id,
    name,
    additional_kwargs,
    usage_metadata,
    // The provider's own reason is about the text.
    response_metadata: { ...response_metadata, finish_reason: "tool-calls" },
    tool_calls: [...(said.tool_calls ?? []), ...calls.map(asNative)],
    invalid_tool_calls: said.invalid_tool_calls,
  };
  return new AIMessage(fields as unknown as AIMessageFields);
}

/** A call as a client would have read it, with its text; one with malformed arguments is promoted at once, to keep its place. */
function asNative({ id, name, arguments: text }: XmlCallEvent | XmlFinalEvent): NativeCall {
  const call = { type: "tool_call" as const, id, name };
  const args = objectIn(text) ?? readShownArguments(text);
  return { ...call, args, toolcontract: { rawText: text } };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}
