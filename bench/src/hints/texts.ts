// `pnpm bench:texts [--style compact]`: what a model reads about calls of real servers' tools, to be read by a person.
import { parseArgs } from "node:util";
import { createContract } from "@toolcontract/core";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { plainSlips } from "./plain-slips.ts";
import { type Slip, slipsOf } from "./slips.ts";

const TEXTS = 80;
const { values } = parseArgs({ options: { style: { type: "string", default: "standard" } } });
const style = values.style === "compact" ? "compact" : "standard";
const contract = createContract({ logger: () => undefined, format: { style } });

const { calls } = await readMcpCorpus();
let count = 0;
for (const { tool, kind, sent } of spread([
  ...calls.flatMap(plainSlips),
  ...calls.flatMap(slipsOf),
])) {
  const call = { id: "call_1", name: tool.name, arguments: JSON.stringify(sent) };
  const answer = await contract.admit(call, { conversationId: String(count), tool });
  if (answer.status !== "rejected") continue;
  count += 1;
  console.log(`--- ${count}. ${kind}: ${tool.name} ${call.arguments}\n${answer.result.content}\n`);
}

/** Picks slips of every kind and of as many tools as possible. */
function spread(slips: readonly Slip[]): readonly Slip[] {
  const kinds = [...new Set(slips.map(({ kind }) => kind))];
  const each = Math.ceil(TEXTS / kinds.length);
  return kinds
    .flatMap((kind) => {
      const own = slips.filter((slip) => slip.kind === kind);
      const step = Math.max(1, Math.floor(own.length / each));
      return own.filter((_, index) => index % step === Math.floor(step / 2)).slice(0, each);
    })
    .slice(0, TEXTS);
}
