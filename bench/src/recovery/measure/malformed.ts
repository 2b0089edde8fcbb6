import type { MakeCall } from "@toolcontract/frameworks";
import type { CorpusCall } from "../../corpus.ts";
import type { System } from "../systems/system.ts";

/** What a system did with one kind of malformed JSON. */
export interface MalformedCount {
  readonly kind: string;
  calls: number;
  /** The model gets an answer. */
  answered: number;
  /** The tool ran with what the model meant. */
  ranRight: number;
  /** The tool ran with something else, or with something that may not have been meant. */
  ranWrong: number;
  /** The model gets no answer, or the run ends. */
  silent: number;
}

/** Sends the malformed JSON of valid calls to a system that takes arguments as a string. */
export async function measureMalformed(
  calls: readonly CorpusCall[],
  system: System,
): Promise<readonly MalformedCount[]> {
  const counts = new Map<string, MalformedCount>();
  for (const call of calls) {
    const makeCall = await system.offer(call.tool);
    for (const [kind, text, meant] of malformedTexts(call)) {
      const none = { kind, calls: 0, answered: 0, ranRight: 0, ranWrong: 0, silent: 0 };
      const count = counts.get(kind) ?? none;
      counts.set(kind, count);
      const outcome = await makeCall(text);
      count.calls += 1;
      if (outcome.status !== "ran") count[outcome.status] += 1;
      else if (await isMeant(outcome.args, meant, makeCall)) count.ranRight += 1;
      else count.ranWrong += 1;
    }
  }
  return [...counts.values()];
}

/** Compares with what the same host makes of well-formed JSON: a validator may add defaults. */
async function isMeant(args: unknown, meant: unknown, makeCall: MakeCall): Promise<boolean> {
  if (meant === undefined) return false;
  const wellFormed = await makeCall(JSON.stringify(meant));
  return wellFormed.status === "ran" && JSON.stringify(args) === JSON.stringify(wellFormed.args);
}

type MalformedText = readonly [
  kind: string,
  text: string,
  /** What the model certainly meant; text that is cut or doubled must be answered. */
  meant?: unknown,
];

/** Makes JSON malformed in the ways models do. */
function malformedTexts({ args, text }: CorpusCall): readonly MalformedText[] {
  const lastQuote = text.lastIndexOf('"', text.length - 3);
  const hasEscapes = text.includes("\\");
  const python = text
    .replaceAll(/:true\b/g, ": True")
    .replaceAll(/:false\b/g, ": False")
    .replaceAll(/:null\b/g, ": None");
  const breakWith = (lineBreak: string): string => text.replace(/(?<=\w) (?=\w)/, lineBreak);
  const single = text.includes("'") || hasEscapes ? text : text.replaceAll('"', "'");
  const raw = hasEscapes ? text : breakWith("\n");
  const broken = hasEscapes ? args : (JSON.parse(breakWith(String.raw`\n`)) as unknown);
  const texts: readonly MalformedText[] = [
    ["fence", `\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``, args],
    ["prose around", `Here are the arguments: ${text} I hope this helps.`, args],
    ["trailing comma", `${text.slice(0, -1)},}`, args],
    ["single quotes", single, args],
    ["Python literals", python, args],
    ["raw line break", raw, broken],
    ["encoded twice", JSON.stringify(text), args],
    ["two objects", `${text}${text}`],
    ["last brace cut", text.slice(0, -1)],
    ["cut in a value", text.slice(0, Math.max(2, lastQuote - 1))],
    ["cut in half", text.slice(0, Math.max(1, Math.floor(text.length / 2)))],
    ["empty text", "", {}],
    ["a list", `[${text}]`],
    ["no object", '"yes"'],
  ];
  return texts.filter(([, malformed]) => malformed !== text);
}
