import { corpusCall, type CorpusCall, type CorpusTool } from "./corpus.ts";

/** A tool whose calls can have any size. */
export const importRecords: CorpusTool = {
  name: "import_records",
  inputSchema: {
    type: "object",
    properties: {
      records: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "integer", minimum: 0 },
            title: { type: "string", maxLength: 200 },
            state: { type: "string", enum: ["open", "closed"] },
          },
          required: ["id", "title"],
          additionalProperties: false,
        },
      },
    },
    required: ["records"],
    additionalProperties: false,
  },
};

/** Creates a valid call with arguments of about this many bytes. */
export function callOfSize(bytes: number): CorpusCall {
  const { length } = JSON.stringify(recordOf(1_000));
  return callOf(Math.max(1, Math.round(bytes / length)), recordOf);
}

/** Creates a call with this many records, each with one fault: a number as title. */
export function callWithFaults(faults: number): CorpusCall {
  return callOf(faults, (index) => ({ ...recordOf(index), title: index }));
}

function callOf(count: number, make: (index: number) => object): CorpusCall {
  return corpusCall(importRecords, { records: Array.from({ length: count }, (_, i) => make(i)) });
}

function recordOf(index: number): { id: number; title: string; state: string } {
  return { id: index, title: "The login page is slow on Mondays", state: "open" };
}
