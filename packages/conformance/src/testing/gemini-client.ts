import type { KitEnvironment } from "../play/index.ts";
import type { KitTool } from "../shared/index.ts";
import { type ModelClient, postForEvents, postJson } from "./model-client.ts";

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: object };
}
interface Chunk {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly Part[] };
    readonly finishReason?: string;
  }[];
}

/** Gemini's generateContent. */
export function geminiClient(
  { KIT_BASE_URL, KIT_PROMPT, KIT_STREAM }: KitEnvironment,
  tools: readonly KitTool[],
): ModelClient {
  const contents: object[] = [{ role: "user", parts: [{ text: KIT_PROMPT }] }];
  const model = `${KIT_BASE_URL}/models/scripted`;
  const functionDeclarations = tools.map(({ name, description, parameters }) => {
    return { name, description, parametersJsonSchema: parameters };
  });
  return {
    async ask(mayCall) {
      const toolConfig = { functionCallingConfig: { mode: mayCall ? "AUTO" : "NONE" } };
      const body = { contents, tools: [{ functionDeclarations }], toolConfig };
      const chunks = (
        KIT_STREAM === ""
          ? [await postJson(`${model}:generateContent`, body)]
          : await postForEvents(`${model}:streamGenerateContent?alt=sse`, body)
      ) as readonly Chunk[];
      const candidates = chunks.flatMap((chunk) => chunk.candidates);
      const parts = candidates.flatMap(({ content }) => content.parts);
      const calls = parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id, name: call.name, text: JSON.stringify(call.args) }] : [],
      );
      const text = parts.map((part) => part.text ?? "").join("");
      const isCut = candidates.some(({ finishReason }) => finishReason === "MAX_TOKENS");
      return { text, calls, isCut };
    },
    add(text, calls, answers) {
      const said = text === "" ? [] : [{ text }];
      const made = calls.map(({ id, name, text: input }) => {
        return { functionCall: { id, name, args: JSON.parse(input) as unknown } };
      });
      const parts = answers.map(({ id, name, text: output, isError }) => {
        const response = isError ? { error: output } : { output };
        return { functionResponse: { id, name, response } };
      });
      contents.push({ role: "model", parts: [...said, ...made] }, { role: "user", parts });
    },
    say(text, answer) {
      const parts = [{ text: answer }];
      contents.push({ role: "model", parts: [{ text }] }, { role: "user", parts });
    },
  };
}
