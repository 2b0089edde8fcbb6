import { type Corpus, corpusCall, type CorpusTool } from "./corpus.ts";

/** A tool like most: a few fields, one enum, two limits, closed. */
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

/** A valid call of the typical tool. */
export const typicalCall: ReturnType<typeof corpusCall> = corpusCall(typicalTool, {
  path: "notes/today.md",
  content: "# Today\n\n- call the bank\n- water the plants\n",
  encoding: "utf-8",
  mode: 420,
});

/** An invalid call of it: a missing and a misspelt field, a misspelt value and a wrong type. */
export const typicalMistake: ReturnType<typeof corpusCall> = corpusCall(typicalTool, {
  pth: "notes/today.md",
  encoding: "uft8",
  mode: "rw",
});

/** The typical call as a corpus. */
export const TYPICAL: Corpus = { name: "a typical tool", calls: [typicalCall] };
