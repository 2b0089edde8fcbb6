import { gemini, type Json } from "@toolcontract/wire";
import type { Scenario, SeenEntry } from "../shared/index.ts";
import { contentText, isObjectText, listOf, objectOf, stringOf } from "./content-text.ts";
import type { WireFormat } from "./wire-format.ts";

/** Gemini's generateContent. */
export const geminiFormat: WireFormat = {
  form: gemini,
  path: /\/models\/[^/]+:(?:g|streamG)enerateContent$/,
  hasErrorMark: true,
  isStream: (_, url) => url.pathname.endsWith(":streamGenerateContent"),
  mayCall,
  read: (body) => listOf(body["contents"]).flatMap((content) => entriesOf(objectOf(content))),
  canPlay,
};

function mayCall({ tools, toolConfig }: Json): boolean {
  const declared = listOf(tools).flatMap((tool) => listOf(objectOf(tool)["functionDeclarations"]));
  const { mode } = objectOf(objectOf(toolConfig)["functionCallingConfig"]);
  return declared.length > 0 && mode !== "NONE";
}

/** Arguments are always objects that arrive as a whole, and ids are the provider's own. */
function canPlay({ turns }: Scenario): boolean {
  const calls = turns.flatMap((turn) => turn.calls);
  return (
    turns.every(({ drops }) => drops !== true) &&
    calls.every(
      ({ id, arguments: text, digits }) =>
        id === undefined && digits === undefined && isObjectText(text),
    )
  );
}

function entriesOf({ role, parts }: Readonly<Record<string, unknown>>): readonly SeenEntry[] {
  const all = listOf(parts).map(objectOf);
  const calls = all.flatMap(({ functionCall }) => {
    if (functionCall === undefined) return [];
    const { id, name } = objectOf(functionCall);
    return [{ id: stringOf(id), name: stringOf(name) }];
  });
  const rest = all.flatMap(({ functionResponse, text }): readonly SeenEntry[] => {
    if (functionResponse !== undefined) {
      const { id, name, response } = objectOf(functionResponse);
      const isError = objectOf(response)["error"] !== undefined;
      const answer = contentText(response);
      return [{ kind: "answer", id: stringOf(id), name: stringOf(name), text: answer, isError }];
    }
    return typeof text === "string" ? [{ kind: "text", role: stringOf(role), text }] : [];
  });
  return calls.length === 0 ? rest : [...rest, { kind: "calls", calls }];
}
