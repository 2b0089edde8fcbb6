import v8 from "node:v8";
v8.setFlagsFromString("--single-threaded-gc");
import { readMcpCorpus } from "./mcp-corpus.ts";
import { readBfclCorpus } from "./bfcl-corpus.ts";
import { happyPath } from "./benchmarks/happy-path.ts";
import { rejectedCall } from "./benchmarks/rejected-call.ts";
const corpora = [await readMcpCorpus(), readBfclCorpus("/work/shared/data/bfcl")!];
for (const b of [happyPath, rejectedCall]) { const t0=performance.now(); console.dir(await b.run({ corpora, length: { rounds: 31, turnTime: 40, warmRuns: 3000 } }), { depth: 9 }); console.log(performance.now()-t0); }
