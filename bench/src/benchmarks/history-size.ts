import { createContract } from "@toolcontract/core";
import { type Benchmark } from "../benchmark.ts";
import { type Row } from "../row.ts";
import type { CorpusTool } from "../corpus.ts";

const ATTEMPTS = { full: [3, 10, 50], quick: [3, 10] } as const;
const FIELDS = 40;
const MOST = 10_000;

const names = Array.from({ length: FIELDS }, (_, index) => `field_${index}_${"x".repeat(30)}`);
const tool: CorpusTool = {
  name: "update_record",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { enum: ["open", "closed"] }])),
  },
};

/** Measures the history of a tool in the worst case: many faults, and the longest previews. */
export const historySize: Benchmark = {
  name: "history-size",
  about: `the history of calls with ${FIELDS} errors each and the longest previews, as JSON`,
  async run({ isQuick }) {
    const rows: Row[] = [];
    for (const attempts of ATTEMPTS[isQuick ? "quick" : "full"]) {
      rows.push({ name: `${attempts} attempts`, value: await bytesAfter(attempts), unit: "bytes" });
    }
    const met = rows.every(({ value }) => value < MOST);
    return [
      { title: "bytes of UTF-8", rows, target: { words: "every one is less than 10 KB", met } },
    ];
  },
};

async function bytesAfter(attempts: number): Promise<number> {
  const format = { maxErrors: FIELDS, maxValuePreview: 4_000, maxLength: 1_000_000 };
  const contract = createContract({ maxAttempts: attempts, format, logger: () => undefined });
  for (let turn = 1; turn <= attempts; turn += 1) {
    const args = Object.fromEntries(names.map((name) => [name, `${turn} é`.repeat(1_000)]));
    const call = { id: `call_${turn}`, name: tool.name, arguments: args };
    const context = { tool, conversationId: "a", turnId: `${turn}` };
    const admission = await contract.admit(call, context);
    if (admission.status !== "blocked") continue;
    return Buffer.byteLength(JSON.stringify(admission.escalation.history));
  }
  throw new Error("The tool was never blocked.");
}
