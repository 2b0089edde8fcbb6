import { compileBare } from "./bare-ajv.ts";
import { corpusCall, type Corpus, type CorpusCall } from "./corpus.ts";

type Arguments = Readonly<Record<string, unknown>>;

/** The near misses that models make. */
const SLIPS: readonly ((args: Arguments) => Arguments)[] = [
  (args) => dropFirst(args),
  (args) =>
    mapFirst(args, (value) => typeof value === "number" || typeof value === "boolean", String),
  (args) =>
    mapFirst(
      args,
      (value) => typeof value === "string",
      (value) => ({ value }),
    ),
  (args) => mapFirst(args, Array.isArray, (value) => JSON.stringify(value)),
  (args) =>
    mapFirst(
      args,
      (value) => typeof value === "string",
      (value) => `${String(value)}s`,
    ),
  (args) => misspellFirst(args),
];

/** Makes a corpus's calls invalid: each slip alone, then all in one call; the same on every run. */
export function spoilCorpus({ name, calls }: Corpus): Corpus {
  return { name, calls: calls.flatMap(spoilCall) };
}

function spoilCall({ tool, args, text }: CorpusCall): readonly CorpusCall[] {
  const accepts = compileBare(tool);
  const spoilt = new Map<string, CorpusCall>();
  const several = SLIPS.reduce((before, slip) => slip(before), args);
  for (const changed of [...SLIPS.map((slip) => slip(args)), several]) {
    const call = corpusCall(tool, changed);
    if (call.text !== text && !accepts(changed)) spoilt.set(call.text, call);
  }
  return [...spoilt.values()];
}

function dropFirst(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).slice(1));
}

function mapFirst(
  args: Arguments,
  fits: (value: unknown) => boolean,
  change: (value: unknown) => unknown,
): Arguments {
  const name = Object.keys(args).findLast((key) => fits(args[key]));
  return name === undefined ? args : { ...args, [name]: change(args[name]) };
}

/** Turns `max_results` into `maxResults`; other names lose a letter. */
function misspellFirst(args: Arguments): Arguments {
  const [first, ...rest] = Object.entries(args);
  if (first === undefined) return args;
  const [name, value] = first;
  const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const misspelt = camel === name ? name.slice(0, 2) + name.slice(3) : camel;
  return Object.fromEntries([[misspelt, value], ...rest]);
}
