import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { type ModelClient, postForEvents, postJson } from "./model-client.ts";

interface Item {
  readonly type: string;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly content: readonly { readonly text: string }[];
}
interface Response {
  readonly status: string;
  readonly output: readonly Item[];
}

/** OpenAI's responses. */
export function openaiResponsesClient(
  { KIT_BASE_URL, KIT_PROMPT, KIT_STREAM }: KitEnvironment,
  tools: readonly KitTool[],
): ModelClient {
  const input: object[] = [{ role: "user", content: KIT_PROMPT }];
  const url = `${KIT_BASE_URL}/responses`;
  const declared = tools.map((tool) => ({ type: "function", ...tool, strict: false }));
  return {
    async ask(mayCall) {
      const body = { model: "scripted", input, ...(mayCall && { tools: declared }) };
      const { status, output } = await (KIT_STREAM === ""
        ? (postJson(url, body) as Promise<Response>)
        : streamed(url, { ...body, stream: true }));
      const calls = output
        .filter(({ type }) => type === "function_call")
        .map(({ call_id: id, name, arguments: text }) => ({ id, name, text }));
      const said = output.filter(({ type }) => type === "message");
      const text = said.flatMap(({ content }) => content.map((part) => part.text)).join("");
      return { text, calls, isCut: status === "incomplete" };
    },
    add(text, calls, answers) {
      if (text !== "") input.push({ role: "assistant", content: text });
      input.push(
        ...calls.map(({ id, name, text: sent }) => {
          return { type: "function_call", call_id: id, name, arguments: sent };
        }),
        ...answers.map(({ id, text: output }) => {
          return { type: "function_call_output", call_id: id, output };
        }),
      );
    },
    say(text, answer) {
      input.push({ role: "assistant", content: text }, { role: "user", content: answer });
    },
  };
}

/** The items as their own events have them, so that the last event is not all that is read. */
async function streamed(url: string, body: object): Promise<Response> {
  const events = (await postForEvents(url, body)) as readonly {
    readonly type: string;
    readonly item: Item;
    readonly delta: string;
    readonly item_id: string;
    readonly response: Response;
  }[];
  const texts = new Map<string, string>();
  for (const { type, item_id: id, delta } of events) {
    if (type.endsWith("arguments.delta")) texts.set(id, (texts.get(id) ?? "") + delta);
  }
  const output = events
    .filter(({ type }) => type === "response.output_item.done")
    .map(({ item }) => ({
      ...item,
      arguments: texts.get((item as { id?: string }).id ?? "") ?? "",
    }));
  return { status: events.at(-1)?.response.status ?? "", output };
}
