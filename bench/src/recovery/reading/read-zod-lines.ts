import type { Complaint, ReadText } from "./complaint.ts";
import { pointerOfDotted } from "./dotted-path.ts";
import { placeAtKeys } from "./named-keys.ts";

/** zod's issues as LangChain writes them: a line with a cross, and where on the line after it. */
export const readZodPretty: ReadText = (text) =>
  [...text.matchAll(/^✖ (.*)(?:\n {2}→ at (.*))?$/gm)].flatMap(([, words = "", path = ""]) =>
    placeAtKeys({ pointer: pointerOfDotted(path), words }),
  );

/** zod's issues as the first MCP SDK writes them: `words at path` on a line each. */
export const readMcpV1: ReadText = (text) => {
  const [, list = ""] = /Invalid arguments for tool .*?: ([^]*)$/.exec(text) ?? [];
  return list.split("\n").flatMap((line): readonly Complaint[] => {
    const [, words = line, path = ""] = /^(.*) at ((?:[^\s:"]|\["[^"]*"\])+)$/.exec(line) ?? [];
    return words === "" ? [] : placeAtKeys({ pointer: pointerOfDotted(path), words });
  });
};

const ZOD_WORDS = "(?:Invalid|Unrecognized|Too (?:big|small)|Required|Array items|Expected)";

/** zod's issues as the second MCP SDK writes them: `path: words`, separated by commas. */
export const readMcpV2: ReadText = (text) => {
  const [, list = ""] = /Invalid arguments for tool .*?: ([^]*)$/.exec(text) ?? [];
  return list.split(new RegExp(`, (?=(?:[^\\s:"]+: )?${ZOD_WORDS})`)).flatMap(readPathAndWords);
};

/** Mastra's list in its JSON: `- path: words`. */
export const readMastra: ReadText = (text) => {
  try {
    const { message = "" } = JSON.parse(text) as { readonly message?: string };
    const [list = ""] = message.split("\n\nProvided arguments:");
    return list
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .flatMap((line) => readPathAndWords(line.slice(2)));
  } catch {
    return [];
  }
};

function readPathAndWords(part: string): readonly Complaint[] {
  const [, path = "", words = part] = /^([^\s:"]+): (.*)$/.exec(part) ?? [];
  if (words === "") return [];
  return placeAtKeys({ pointer: path === "root" ? "" : pointerOfDotted(path), words });
}
