import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { exitCodeOf } from "../accounting/index.ts";
import type { FinalReport, SessionLimits } from "../shared/index.ts";
import { reply, type Run, runs } from "../testing/index.ts";

type Ran = Awaited<ReturnType<typeof runs>>;
import { createEffects } from "./effects.ts";

const contract = createContract({
  guardrails: {
    name: "declared",
    lanes: {},
    around: () => {
      throw new Error("nothing runs in this stage");
    },
    effectOf: (tool) => (tool === "pay" ? "irreversible" : "none"),
  },
  logger: false,
});

type Step =
  | { readonly tool: string; readonly does: "works" | "throws" | "says no" | "hangs" }
  | { readonly report: string; readonly asText?: boolean };

/** Plays answers in order; what the model reads after a report is in `read`. */
async function play(
  steps: readonly Step[],
  limits: SessionLimits = {},
): Promise<Ran & { readonly read: readonly string[]; readonly turns: number }> {
  const read: string[] = [];
  let turns = 0;
  const execute = async (run: Run, id: string, { tool, does }: Extract<Step, { tool: string }>) => {
    const call = run.tool({ id, name: tool, input: { id } });
    try {
      await call.run(async () => {
        if (does === "throws") throw new Error("card declined");
        if (does === "hangs") await new Promise(() => undefined);
      });
      call.shown(["ok"], does === "says no" ? "card declined" : undefined);
    } catch (thrown) {
      call.failed(thrown);
    }
  };
  const left = [...steps];
  const ran = await runs(
    async (run) => {
      while (!run.isOver && left.length > 0) {
        const made = await run.turn(
          { tools: [{ name: "pay" }], messages: () => [] },
          async (attempt) => {
            turns += 1;
            read.push(...attempt.notices.filter((one) => one.includes("does not say so")));
            const step = left.shift();
            if (step === undefined) throw new Error("end of the script");
            const isText = "report" in step && step.asText === true;
            const name = "report" in step ? "agent__final_report" : step.tool;
            const id = `c${turns}`;
            attempt.end(isText ? reply({ text: step.report }) : reply({ calls: [{ id, name }] }));
            return { step, id, isText };
          },
        );
        const { step, id, isText } = made;
        if (isText) return;
        if ("report" in step) {
          const { text } = run.report({ format: "markdown", content: step.report }, id);
          if (text !== "ok") read.push(text);
        } else await execute(run, id, step);
      }
    },
    { targets: [{ model: "m" }], toolTimeout: 5, ...limits },
    {},
    { contract },
  );
  return { ...ran, read, turns };
}

const PAID = { report: "I have paid the invoice." };
const SAID = { report: "The invoice was not paid: the card was declined." };

describe("the report says what ran", () => {
  test.each([
    ["works", "done"],
    ["throws", "failed"],
    ["says no", "failed"],
    ["hangs", "unknown"],
  ] as const)("a tool that %s: %s", async (does, outcome) => {
    const { finalReport } = await play([
      { tool: "look", does: "works" },
      { tool: "pay", does },
      SAID,
    ]);
    expect(finalReport?.effects).toEqual([{ tool: "pay", callId: "c2", outcome }]);
  });

  test("a failure report, too", async () => {
    const { finalReport } = await play([{ tool: "pay", does: "works" }]);
    expect(finalReport).toMatchObject({
      status: "failure",
      effects: [{ tool: "pay", outcome: "done" }],
    });
  });

  test("nothing is said if nothing can be declared", async () => {
    const { finalReport } = await runs(async (run) => {
      await run.turn({ tools: [], messages: () => [] }, async (attempt) =>
        attempt.end(reply({ text: "done" })),
      );
    });
    expect(finalReport).not.toHaveProperty("effects");
  });
});

describe("a run whose only payment failed is not a success because the model says so", () => {
  test.each([
    ["by the report tool", PAID],
    ["as text", { ...PAID, asText: true }],
  ])("the model is asked once, in a turn of its own: %s", async (_, paid) => {
    const result = await play([{ tool: "pay", does: "throws" }, paid, paid]);
    expect(result.read).toEqual([expect.stringContaining('with the words "pay: failed"')]);
    expect(result.turns).toBe(3);
    expect(result).toMatchObject({
      success: false,
      unverified: true,
      error: "the report does not say what failed (pay: failed)",
      finalReport: { content: PAID.report, unverified: true },
    });
    expect(exitCodeOf(result)).toBe(1);
  });

  test.each([
    ["the truth", SAID],
    ["the truth as text", { ...SAID, asText: true }],
    [
      "the words it was asked for, in its own language",
      { report: "Bezahlt wurde nichts (pay: failed)." },
    ],
  ])("an answer with %s is a success", async (_, said) => {
    const result = await play([{ tool: "pay", does: "throws" }, PAID, said]);
    expect(result).toMatchObject({ success: true, finalReport: { content: said.report } });
    expect(result).not.toHaveProperty("unverified");
  });

  test("a model that does it now, and says so, is asked no more", async () => {
    const result = await play([
      { tool: "pay", does: "throws" },
      PAID,
      { tool: "pay", does: "works" },
      PAID,
    ]);
    expect(result).toMatchObject({
      success: true,
      finalReport: { effects: [{ outcome: "failed" }, { outcome: "done" }] },
    });
    expect(result.read).toHaveLength(1);
  });

  test.each<readonly [string, readonly Step[], SessionLimits]>([
    ["in the last turn", [{ tool: "pay", does: "throws" }, PAID], { maxTurns: 2 }],
    ["with mark", [{ tool: "pay", does: "throws" }, PAID], { unverified: "mark" }],
    ["if no other report comes", [{ tool: "pay", does: "throws" }, PAID], {}],
    ["if the outcome is not known", [{ tool: "pay", does: "hangs" }, PAID, PAID], {}],
  ])("it is unverified: %s", async (_, steps, limits) => {
    expect(await play(steps, limits)).toMatchObject({ success: false, unverified: true });
  });

  test.each<readonly [string, readonly Step[], SessionLimits]>([
    ["with ignore", [{ tool: "pay", does: "throws" }, PAID], { unverified: "ignore" }],
    [
      "if the last try worked",
      [{ tool: "pay", does: "throws" }, { tool: "pay", does: "works" }, PAID],
      {},
    ],
    ["if the effect is none", [{ tool: "look", does: "throws" }, PAID], {}],
    ["if it is said at once", [{ tool: "pay", does: "throws" }, SAID], {}],
  ])("nobody is asked: %s", async (_, steps, limits) => {
    const result = await play(steps, limits);
    expect(result.success).toBe(true);
    expect(result.read).toEqual([]);
  });
});

test.each<readonly [FinalReport["format"], Partial<FinalReport>, boolean]>([
  ["json", { content_json: { status: "paid" } }, true],
  ["json", { content_json: { status: "failed" } }, false],
  ["slack-block-kit", { messages: [{ text: "It is paid" }] }, true],
  ["slack-block-kit", { messages: [{ text: "It could not be paid" }] }, false],
  ["text", { content: "pay — unknown" }, false],
])("a report in %s: %j", (format, content, isUnsaid) => {
  const effects = createEffects(() => "irreversible");
  effects.begun("pay", "c1")("failed");
  const report: FinalReport = { status: "success", format, ts: 0, ...content };
  expect(effects.unsaid(report).length > 0).toBe(isUnsaid);
});
