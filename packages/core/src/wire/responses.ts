import { listOf, memberOf, reasonOf, textOf } from "./member.ts";
import { KeptTexts, type WireTexts, asSent, isThere } from "./kept-texts.ts";
import { type WirePicture, picturesOf, wordsOf } from "./pictures.ts";
import {
  type Answered,
  CUT,
  type RawCall,
  type RawTurn,
  type WireTurn,
  answeredId,
  programOf,
  turnOf,
} from "./turn.ts";

/** A response of the Responses API, of the SDK or of the wire. */
interface ResponsesResponse {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly incomplete_details?: { readonly reason?: string | undefined } | null | undefined;
  readonly output: readonly { readonly type: string }[];
}

/** What made a call, to be sent back with its output. */
type ResponsesCaller = { type: "direct" } | { type: "program"; caller_id: string };

/** The output of a call of the Responses API. */
export interface ResponsesAnswer {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  output:
    | string
    | (
        | { type: "input_text"; text: string }
        | { type: "input_image"; detail: "auto"; image_url: string }
      )[];
  caller?: ResponsesCaller;
}

/** Reads and writes the items of the Responses API. */
export interface ResponsesWire {
  /**
   * Reads the calls of a response, custom ones and those of namespaces included; `texts` of its stream, with or without the response.
   *
   * @remarks A tool of a namespace has both in its name: `crm.search`.
   */
  read(response: ResponsesResponse | undefined, texts?: WireTexts): WireTurn;
  /** The items after those of the response: one for each call, in order. */
  write(handled: readonly Answered[]): ResponsesAnswer[];
  /** For one streamed response: add each event. */
  texts(): WireTexts;
}

/**
 * The Responses API of OpenAI.
 *
 * @example
 * ```ts
 * const { calls, ...turn } = responses.read(response);
 * const handled = await contract.handleTurn(calls, { tools, execute, conversationId: "thread-7", ...turn });
 * input.push(...response.output, ...responses.write(handled));
 * ```
 * @see docs/your-own-loop.md
 */
export const responses: ResponsesWire = {
  read: (response, texts) => turnOf(asSent(turnOfResponse(response), texts, isThere(response))),
  write: (handled) =>
    handled.map((answered) => {
      const pictures = picturesOf(answered);
      const text = wordsOf(answered, pictures);
      return {
        ...outputHead(answered),
        output:
          pictures.length === 0
            ? text
            : [
                ...(text === "" ? [] : [{ type: "input_text", text } as const]),
                ...pictures.map(inputImage),
              ],
      };
    }),
  texts: () => new KeptTexts(addEvent),
};

/** What the output of a call has beside what the tool returned. */
export function outputHead({ result }: Answered): Omit<ResponsesAnswer, "output"> {
  const caller = result.wire?.["caller"];
  return {
    type: result.wire?.["isCustom"] === true ? "custom_tool_call_output" : "function_call_output",
    call_id: answeredId(result),
    ...(typeof caller === "object" && caller !== null && { caller: caller as ResponsesCaller }),
  };
}

function inputImage({ mimeType, data }: WirePicture): {
  type: "input_image";
  detail: "auto";
  image_url: string;
} {
  return { type: "input_image", detail: "auto", image_url: `data:${mimeType};base64,${data}` };
}

const CALLS: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call"]);

/** The calls of a response, also of one of the Realtime API. */
export function turnOfResponse(response: unknown): RawTurn {
  const items = listOf(memberOf(response, "output"));
  const calls = items.filter((item) => CALLS.has(memberOf(item, "type")));
  const last = items.at(-1);
  const isAfter = last !== undefined && !CALLS.has(memberOf(last, "type"));
  const reason =
    textOf(memberOf(response, "incomplete_details", "reason")) ??
    textOf(memberOf(response, "status_details", "reason")) ??
    memberOf(response, "status");
  const isCut = memberOf(response, "status") === "incomplete";
  return {
    calls: calls.map((item) => rawCall(item, item === last)),
    turnId:
      programOf(calls.map((item) => memberOf(item, "caller", "caller_id"))) ??
      textOf(memberOf(response, "id")),
    messageId: textOf(memberOf(response, "id")),
    // What was cut is the last item: if that is not a call, the calls before it are whole.
    finishReason: isCut && isAfter ? undefined : reasonOf(reason),
  };
}

function rawCall(item: unknown, isLast = false): RawCall {
  const isCustom = memberOf(item, "type") === "custom_tool_call";
  const namespace = textOf(memberOf(item, "namespace"));
  const name = memberOf(item, "name");
  const caller = memberOf(item, "caller");
  const more = {
    ...(isCustom && { isCustom }),
    ...(caller !== undefined && caller !== null && { caller }),
  };
  const sent = memberOf(item, isCustom ? "input" : "arguments");
  // The reason of the response belongs to its last item; of the others, only their status says that they are not whole.
  const isCut = !isLast && memberOf(item, "status") === "incomplete" && sent === "";
  return {
    id: memberOf(item, "call_id"),
    name: namespace === undefined ? name : `${namespace}.${String(name)}`,
    ...(Object.keys(more).length > 0 && { more }),
    ...(isCustom ? { text: sent ?? "" } : { arguments: isCut ? CUT : sent }),
  };
}

/** Keeps an event of a stream, also of the Realtime API. */
export function addEvent(event: unknown, kept: KeptTexts): void {
  const type = memberOf(event, "type");
  const key = memberOf(event, "output_index");
  switch (type) {
    case "response.created":
      kept.clear();
      kept.turnId = textOf(memberOf(event, "response", "id"));
      kept.finishReason = null;
      break;
    case "response.output_item.added": {
      const item = memberOf(event, "item");
      if (!CALLS.has(memberOf(item, "type"))) break;
      const { arguments: args, text, ...call } = rawCall(item, true);
      kept.call(key, { ...call, isText: text !== undefined });
      kept.turnId = textOf(memberOf(item, "caller", "caller_id")) ?? kept.turnId;
      kept.text(key, args ?? text ?? "");
      break;
    }
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      kept.text(key, memberOf(event, "delta"));
      break;
    case "response.completed":
    case "response.incomplete":
    case "response.failed":
    case "response.done": {
      kept.finishReason = turnOfResponse(memberOf(event, "response")).finishReason;
      break;
    }
    default:
  }
}
