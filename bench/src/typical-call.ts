import type { Corpus, CorpusTool } from "./corpus.ts";
import { corpusCall } from "./corpus.ts";

/** A tool as most are: a few fields, one enum, two limits, no others allowed. */
export const typicalTool: CorpusTool = {
  name: "write_file",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      content: { type: "string", maxLength: 1_048_576 },
      encoding: { type: "string", enum: ["utf-8", "ascii", "utf-16"] },
      mode: { type: "integer", minimum: 0, maximum: 511 },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
};

/** A call that the typical tool accepts. */
export const typicalCall: ReturnType<typeof corpusCall> = corpusCall(typicalTool, {
  path: "notes/today.md",
  content: "# Today\n\n- call the bank\n- water the plants\n",
  encoding: "utf-8",
  mode: 420,
});

/** A call of it with four faults: a missing field under a wrong name, a value that is near, and a type. */
export const typicalMistake: ReturnType<typeof corpusCall> = corpusCall(typicalTool, {
  pth: "notes/today.md",
  encoding: "uft8",
  mode: "rw",
});

/** The typical call as a corpus of its own. */
export const TYPICAL: Corpus = { name: "a typical tool", calls: [typicalCall] };
