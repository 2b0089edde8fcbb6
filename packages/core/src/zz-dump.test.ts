import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { CASES } from "../../../internal/conformance/src/cases.ts";
import { createContract, parseRejection } from "./index.ts";
test("dump", async () => {
  const out: any = {};
  for (const c of CASES)
    for (const style of ["standard", "compact"] as const) {
      const contract = createContract({
        ...c.options,
        format: { ...c.options?.format, style },
        logger: () => undefined,
      } as any);
      let run = 0,
        t = 0;
      for (const turn of c.turns) {
        if (turn.user) run++;
        const handled = await contract.handleTurn(
          turn.calls.map((x) => ({ id: x.id, name: x.tool, arguments: x.arguments })),
          {
            tools: c.tools as any,
            conversationId: "t",
            runId: `r${run}`,
            ...(turn.finishReason && { finishReason: turn.finishReason }),
            execute: () => "done",
          },
        );
        handled.forEach((h, i) => {
          const x = turn.calls[i]!;
          const p: any = parseRejection(h.result.content);
          const codes = p?.errors.map((e: any) => `${e.errorCode} ${e.fieldPath || "(arguments)"}`);
          out[`${c.name}|${x.id}|${style}`] = {
            status: h.status,
            content: h.result.content,
            codes,
            expected: (x.expected as any).codes,
            eo: x.expected.outcome,
            wants: x.expected,
          };
        });
      }
    }
  writeFileSync("/tmp/conf/dump.json", JSON.stringify(out, null, 1));
});
