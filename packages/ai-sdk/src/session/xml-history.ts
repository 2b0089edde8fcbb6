import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type {
  XmlCall,
  XmlMessage,
  XmlRequestMessage,
  XmlResult,
  XmlRun,
} from "@toolcontract/session/xml";

type AssistantTurn = Extract<LanguageModelV4Message, { readonly role: "assistant" }>;
type ResultOutput = LanguageModelV4ToolResultPart["output"];

interface PromptCall extends XmlCall {
  readonly part: LanguageModelV4ToolCallPart;
}
interface PromptResult extends XmlResult {
  readonly part: LanguageModelV4ToolResultPart;
}

/** Renders a prompt with native calls and results as the one that a model in XML reads. */
export function xmlHistory(
  xml: Pick<XmlRun, "renderHistory">,
  prompt: LanguageModelV4CallOptions["prompt"],
): LanguageModelV4CallOptions["prompt"] {
  return xml
    .renderHistory<LanguageModelV4Message, PromptCall, PromptResult>(prompt.flatMap(neutral))
    .map(native);
}

function neutral(
  message: LanguageModelV4Message,
): XmlMessage<LanguageModelV4Message, PromptCall, PromptResult>[] {
  switch (message.role) {
    case "assistant": {
      const content = message.content.flatMap((part): (string | PromptCall)[] => {
        if (part.type === "text") return [part.text];
        if (!isCallHere(part)) return [];
        return [{ id: part.toolCallId, name: part.toolName, arguments: part.input, part }];
      });
      return [{ role: "assistant", content, message }];
    }
    case "tool": {
      const results = message.content.filter((part) => part.type === "tool-result");
      const others = message.content.filter((part) => part.type !== "tool-result");
      return [
        // Answers to a provider's own questions stay native.
        ...(others.length > 0
          ? [{ role: "kept" as const, message: { ...message, content: others } }]
          : []),
        {
          role: "tool",
          results: results.map(promptResult),
          message: { ...message, content: results },
        },
      ];
    }
    default:
      return [{ role: "kept", message }];
  }
}

function promptResult(part: LanguageModelV4ToolResultPart): PromptResult {
  const { toolCallId: id, toolName: name, output } = part;
  const isFailed = /^(?:error|execution-denied)/.test(output.type);
  return { id, name, response: responseOf(output), isFailed, part };
}

function responseOf(output: ResultOutput): unknown {
  if (output.type === "execution-denied") return output.reason ?? "Tool execution denied.";
  if (output.type !== "content") return output.value;
  return output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function native(
  message: XmlRequestMessage<LanguageModelV4Message, PromptCall, PromptResult>,
): LanguageModelV4Message {
  switch (message.role) {
    case "kept":
      return message.message;
    case "user":
      return {
        role: "user",
        content: [
          { type: "text", text: message.text },
          ...(message.result ? filesOf(message.result.part.output) : []),
        ],
      };
    case "tool":
      return {
        ...message.message,
        content: message.results.map(({ part }) => part),
      } as LanguageModelV4Message;
    case "assistant": {
      const { content } = message.message as AssistantTurn;
      return {
        ...(message.message as AssistantTurn),
        content: [
          // Reasoning and what the provider did by itself; providers want reasoning first.
          ...content.filter((part) => part.type !== "text" && !isCallHere(part)),
          ...message.content.map((part) =>
            typeof part === "string" ? { type: "text" as const, text: part } : part.part,
          ),
        ],
      };
    }
  }
}

/** Whether a part is a call that the framework ran, and no provider. */
function isCallHere(part: AssistantTurn["content"][number]): part is LanguageModelV4ToolCallPart {
  return part.type === "tool-call" && part.providerExecuted !== true;
}

/** The files of a result, which no text can show. */
function filesOf(output: ResultOutput): readonly LanguageModelV4FilePart[] {
  if (output.type !== "content") return [];
  return output.value.flatMap((part) => fileOf(part) ?? []);
}

/** Version 5 calls all of them media; version 6 has a type for each way to name a file or image. */
function fileOf(given: object): LanguageModelV4FilePart | undefined {
  const { type, data, url, mediaType, filename } = given as {
    readonly type: string;
    readonly data?: unknown;
    readonly url?: string;
    readonly mediaType?: string;
    readonly filename?: string;
  };
  if (type === "text") return undefined;
  const file = data ?? (url !== undefined && URL.canParse(url) ? new URL(url) : undefined);
  // Files that only their provider knows have no place in a user's message.
  if (file === undefined) return undefined;
  return {
    type: "file",
    data: file as LanguageModelV4FilePart["data"],
    mediaType: mediaType ?? "image/*",
    ...(filename !== undefined && { filename }),
  };
}
