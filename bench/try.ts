import { createContract } from "@toolcontract/core";
import { readBfclCorpus } from "./src/bfcl-corpus.ts";
import { compileBare } from "./src/bare-ajv.ts";
import { race } from "./src/race.ts";
const corpus = readBfclCorpus(process.argv[2] ?? "../../shared/data/bfcl")!;
const contract = createContract();
const bare = corpus.calls.map((c) => ({ v: compileBare(c.tool), text: c.text }));
console.log(corpus.calls.length);
const r = await race([
  { name: "bare", run() { let n = 0; for (const { v, text } of bare) if (v(JSON.parse(text))) n++; return n; } },
  { name: "contract", run() { let n = 0; for (const { tool, text } of corpus.calls) if (contract.check(tool, text).status === "valid") n++; return n; } },
  { name: "parse", run() { let n = 0; for (const { text } of corpus.calls) if (JSON.parse(text)) n++; return n; } },
], { rounds: 31, turnTime: Number(process.argv[3]) });
for (const t of r) console.log(t.name, (t.median / corpus.calls.length).toFixed(3), "us", t.ratio.toFixed(2));
