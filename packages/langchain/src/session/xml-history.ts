import {
  AIMessage,
  type AIMessageFields,
  type BaseMessage,
  HumanMessage,
  type MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import { isRecord } from "@toolcontract/core/adapter";
import type {
  XmlCall,
  XmlMessage,
  XmlRequestMessage,
  XmlResult,
  XmlRun,
} from "@toolcontract/session/xml";
import { unreadTextOf } from "../call-text.ts";
import { type NativeCall, textOfMessage } from "../messages.ts";
import { type RewrittenCall, rewriteMessage } from "../rewrite-message.ts";

interface MessageCall extends XmlCall, RewrittenCall {}
interface MessageResult extends XmlResult {
  readonly message: ToolMessage;
}

/** Renders a history with native calls and results as the one that a model in XML reads. */
export function xmlHistory(
  xml: Pick<XmlRun, "renderHistory">,
  messages: readonly BaseMessage[],
): BaseMessage[] {
  const neutral = messages.map(neutralOf);
  return xml.renderHistory<BaseMessage, MessageCall, MessageResult>(neutral).flatMap(nativeOf);
}

function neutralOf(message: BaseMessage): XmlMessage<BaseMessage, MessageCall, MessageResult> {
  if (AIMessage.isInstance(message)) {
    const made: readonly NativeCall[] = message.tool_calls ?? [];
    const calls = made.map((call, from): MessageCall => {
      const { id = "", name, args } = call;
      const text = unreadTextOf(call, message);
      return { id, name, arguments: text ?? args, from, call: { ...call, id } };
    });
    const text = textOfMessage(message);
    return { role: "assistant", content: [...(text === "" ? [] : [text]), ...calls], message };
  }
  if (!ToolMessage.isInstance(message)) return { role: "kept", message };
  const { tool_call_id: id, name = "", status } = message;
  const isFailed = status === "error";
  return {
    role: "tool",
    results: [{ id, name, response: textOfMessage(message), isFailed, message }],
    message,
  };
}

function nativeOf(
  message: XmlRequestMessage<BaseMessage, MessageCall, MessageResult>,
): BaseMessage | readonly BaseMessage[] {
  switch (message.role) {
    case "kept":
      return message.message;
    case "tool":
      return message.results.map((result) => result.message);
    case "user": {
      const files = message.result ? withoutTexts(message.result.message.content) : [];
      if (files.length === 0) return new HumanMessage(message.text);
      return new HumanMessage({
        content: [{ type: "text", text: message.text }, ...files] as MessageContent,
      });
    }
    case "assistant": {
      const calls = message.content.filter((part) => typeof part !== "string");
      const texts = message.content.filter((part) => typeof part === "string");
      const rewritten = rewriteMessage(message.message as AIMessage, calls);
      return withText(rewritten, texts.join("\n"));
    }
  }
}

/** The message with this text in place of its own; reasoning and native calls stay. */
export function withText(message: AIMessage, text: string): AIMessage {
  const others = withoutTexts(message.content);
  const said = text === "" ? [] : [{ type: "text", text }];
  const content = others.length === 0 ? text : ([...others, ...said] as MessageContent);
  const { id, name, tool_calls, invalid_tool_calls, additional_kwargs, response_metadata } =
    message;
  const { usage_metadata } = message;
  const fields = { content, id, name, tool_calls, invalid_tool_calls, additional_kwargs };
  return new AIMessage({ ...fields, response_metadata, usage_metadata } as AIMessageFields);
}

function withoutTexts(content: MessageContent): readonly unknown[] {
  if (typeof content === "string") return [];
  return content.filter((block) => !(isRecord(block) && block["type"] === "text"));
}
