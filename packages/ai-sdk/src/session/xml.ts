import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart as StreamPart,
  LanguageModelV4ToolCall,
} from "@ai-sdk/provider";
import type { TargetRequest } from "@toolcontract/session";
import type { XmlEnd, XmlEvent, XmlRun } from "@toolcontract/session/xml";
import { withReason } from "./finish-reason.ts";
import type { ResolvedTarget, SdkRun } from "./targets.ts";
import { xmlHistory } from "./xml-history.ts";

type Params = LanguageModelV4CallOptions;

/** The last parts of an answer, and its reason to end as the loop sees it: tools run after calls. */
interface XmlEnding {
  readonly events: readonly XmlEvent[];
  readonly finishReason: LanguageModelV4FinishReason;
}

/** The request as XML has it: its history in text. Natively, it stays as it is. */
export function inXml({ xml }: SdkRun, params: Params): Params {
  return xml ? { ...params, prompt: xmlHistory(xml, params.prompt) } : params;
}

/**
 * One attempt over XML: the request says in text what may be called, and tags of the answer come back as calls that the
 * loop takes for native ones. Natively, the attempt stays as it is.
 */
export function overXml(
  run: SdkRun,
  attempt: TargetRequest<ResolvedTarget>,
): TargetRequest<ResolvedTarget> {
  const { xml } = run;
  const { next, target } = attempt;
  if (!xml || !next) return attempt;
  const instructions = xml.renderNext(next);
  const scanner = xml.createScanner(next);
  const { model } = target;
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  const request = ({ prompt, tools, ...params }: Params): Params => ({
    ...params,
    prompt: [...prompt, { role: "user", content: [{ type: "text", text: instructions }] }],
    ...nativeTools(xml, tools),
    toolChoice: { type: "auto" },
  });
  let end: XmlEnd | undefined;
  const finish = (given: LanguageModelV4FinishReason): XmlEnding => {
    const stop = stopReason(given);
    end = scanner.end(stop);
    if (end.isStopUnknown) run.notJudged("stop-reason");
    // A native call beside the report may have been cut.
    const isKept =
      end.finishReason !== "tool-calls" || (xml.mode === "xml-final" && stop === "length");
    return { events: end.events, finishReason: isKept ? given : withReason(given, "tool-calls") };
  };
  return {
    ...attempt,
    target: {
      ...target,
      model: {
        specificationVersion,
        provider,
        modelId,
        supportedUrls,
        async doGenerate(params) {
          const answer = await model.doGenerate(request(params));
          const content = answer.content.flatMap((part) =>
            part.type === "text" ? contentOfEvents(scanner.push(part.text)) : [part],
          );
          const { events, finishReason } = finish(answer.finishReason);
          content.push(...contentOfEvents(events));
          return { ...answer, content, finishReason };
        },
        async doStream(params) {
          const answer = await model.doStream(request(params));
          return { ...answer, stream: answer.stream.pipeThrough(translator(scanner.push, finish)) };
        },
      },
    },
    end: (facts) => attempt.end(end ? xml.factsOf(facts, end) : facts),
  };
}

/** The tools that a provider is still offered natively. */
function nativeTools(xml: XmlRun, tools: Params["tools"] = []): Pick<Params, "tools"> {
  const left = tools.filter(({ type, name }) =>
    xml.isOfferedNatively({ name, isProviderDefined: type !== "function" }),
  );
  return left.length > 0 ? { tools: left } : {};
}

function contentOfEvents(events: readonly XmlEvent[]): LanguageModelV4Content[] {
  return events.flatMap((event): LanguageModelV4Content[] => {
    if (event.type === "ignored") return [];
    if (event.type !== "text") return [toolCallOf(event)];
    // Line breaks between tags do not count as text.
    return event.text.trim() === "" ? [] : [event];
  });
}

function toolCallOf({
  id,
  name,
  arguments: input,
}: Exclude<XmlEvent, { readonly type: "text" | "ignored" }>): LanguageModelV4ToolCall {
  return { type: "tool-call", toolCallId: id, toolName: name, input };
}

/** Translates the parts of a stream; text has blocks of its own, since tags do not care for those of the provider. */
function translator(
  push: (text: string) => readonly XmlEvent[],
  finish: (reason: LanguageModelV4FinishReason) => XmlEnding,
): TransformStream<StreamPart, StreamPart> {
  let blocks = 0;
  let isOpen = false;
  let blank = "";

  function say(text: string): readonly StreamPart[] {
    const id = `xml-${blocks}`;
    if (isOpen) return [{ type: "text-delta", id, delta: text }];
    blank += text;
    // Line breaks between tags do not count as text.
    if (blank.trim() === "") return [];
    const delta = blank;
    blank = "";
    isOpen = true;
    return [
      { type: "text-start", id },
      { type: "text-delta", id, delta },
    ];
  }

  function close(): readonly StreamPart[] {
    blank = "";
    if (!isOpen) return [];
    const id = `xml-${blocks}`;
    isOpen = false;
    blocks += 1;
    return [{ type: "text-end", id }];
  }

  function write(events: readonly XmlEvent[]): readonly StreamPart[] {
    return events.flatMap((event) => {
      if (event.type === "ignored") return [];
      return event.type === "text" ? say(event.text) : [...close(), toolCallOf(event)];
    });
  }

  function read(part: StreamPart): readonly StreamPart[] {
    switch (part.type) {
      case "text-start":
        return close();
      case "text-delta":
        return write(push(part.delta));
      case "text-end":
        return [];
      case "stream-start":
      case "response-metadata":
      case "raw":
        return [part];
      case "finish": {
        const { events, finishReason } = finish(part.finishReason);
        return [...write(events), ...close(), { ...part, finishReason }];
      }
      default:
        return [...close(), part];
    }
  }

  return new TransformStream({
    transform(part, controller) {
      for (const translated of read(part)) controller.enqueue(translated);
    },
  });
}

/** Why an answer ended; what the SDK has no word for, as the provider says it. Version 5 has a word alone. */
function stopReason(given: unknown): string | undefined {
  const { unified, raw } = Object(given) as { readonly unified?: unknown; readonly raw?: unknown };
  const reason = unified === undefined || unified === "other" ? (raw ?? unified ?? given) : unified;
  return typeof reason === "string" ? reason : undefined;
}
