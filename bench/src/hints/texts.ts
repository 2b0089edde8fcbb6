// `pnpm bench:texts [--style compact]`: what a model reads about its faults and what its hints lead to, for a person.
import { parseArgs } from "node:util";
import { type ValidationError, createContract } from "@toolcontract/core";
import { ajvAccepts } from "../bare-ajv.ts";
import type { CorpusTool } from "../corpus.ts";
import { readMcpCorpus } from "../mcp-corpus.ts";
import { followHints } from "@toolcontract/corrections";
import { MODEL_FAULTS } from "./model-faults.ts";
import { plainSlips } from "./plain-slips.ts";
import { type Slip, slipsOf } from "./slips.ts";

const PICKED = 80;
const { values } = parseArgs({ options: { style: { type: "string", default: "standard" } } });
const style = values.style === "compact" ? "compact" : "standard";
const contract = createContract({
  logger: () => undefined,
  format: { style },
  unwrapStrings: false,
});

const { calls } = await readMcpCorpus();
const picked = spread([...calls.flatMap(plainSlips), ...calls.flatMap(slipsOf)]);
let count = 0;
for (const { tool, kind, sent } of [...MODEL_FAULTS, ...picked]) {
  const text = typeof sent === "string" ? sent : JSON.stringify(sent);
  const call = { id: "call_1", name: tool.name, arguments: text };
  const answer = await contract.admit(call, { conversationId: String(count), tool });
  if (answer.status !== "rejected") {
    console.log(`--- ${kind}: ${tool.name} ${text}\n(accepted)\n`);
    continue;
  }
  count += 1;
  const { errors, result } = answer;
  console.log(
    `--- ${count}. ${kind}: ${tool.name} ${text}\n${result.content}\n${outcome(tool, sent, errors)}\n`,
  );
}

/** What becomes of a call whose hints are followed to the letter. */
function outcome(tool: CorpusTool, sent: unknown, errors: readonly ValidationError[]): string {
  const followed = typeof sent === "string" ? undefined : followHints(sent, errors);
  if (followed === undefined) return "=> no hint";
  const verdict = ajvAccepts(tool)(followed) ? "valid" : "not valid yet";
  const all = errors.every(({ hint }) => hint !== undefined) ? "all" : "some";
  return `=> ${all} hinted, followed: ${verdict} ${JSON.stringify(followed)}`;
}

/** Picks slips of every kind and of as many tools as possible. */
function spread(slips: readonly Slip[]): readonly Slip[] {
  const kinds = [...new Set(slips.map(({ kind }) => kind))];
  const each = Math.ceil(PICKED / kinds.length);
  return kinds
    .flatMap((kind) => {
      const own = slips.filter((slip) => slip.kind === kind);
      const step = Math.max(1, Math.floor(own.length / each));
      return own.filter((_, index) => index % step === Math.floor(step / 2)).slice(0, each);
    })
    .slice(0, PICKED);
}
