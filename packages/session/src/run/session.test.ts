import { createContract, ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import type { TraceIds } from "../shared/index.ts";
import {
  answered,
  ASK,
  CALL,
  type Model,
  reply,
  type Run,
  runs,
  streamed,
  ticking,
} from "../testing/index.ts";
import { xml, xmlFinal } from "../xml/index.ts";
import type { SessionOptions } from "./index.ts";

const REPORT = { format: "markdown", content: "done" };
const CITY = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

test.each<
  readonly [
    string,
    object,
    Partial<SessionOptions<Model>>,
    (run: Run) => string | undefined,
    object,
    object,
  ]
>([
  [
    "an id of the framework's",
    REPORT,
    {},
    () => "r",
    { text: "ok", isError: false },
    { command: "agent__final_report", charactersOut: 2 },
  ],
  ["no id", REPORT, {}, () => undefined, { isError: false }, { command: "agent__final_report" }],
  [
    "an id of a tag",
    REPORT,
    { transport: xml },
    (run) => run.xml?.takeFinal(),
    { isError: false },
    { command: "agent__final_report_xml", source: "xml" },
  ],
  [
    "a native id beside tags",
    REPORT,
    { transport: xmlFinal },
    () => "r",
    { isError: false },
    { command: "agent__final_report" },
  ],
])("a report with %s is counted like a tool", async (_, args, options, idOf, said, entry) => {
  const { accounting, finalReport, success } = await runs(
    async (run) => expect(run.report(args, idOf(run))).toMatchObject(said),
    { clock: ticking(), trace: { txnId: "run-1" }, ...options },
  );
  expect(success).toBe(true);
  expect(finalReport).toEqual({ status: "success", ...REPORT, ts: 2 });
  expect(accounting).toEqual([
    {
      type: "tool",
      mcpServer: "local",
      status: "ok",
      timestamp: 1,
      latency: 2,
      charactersIn: JSON.stringify(REPORT).length,
      charactersOut: 2,
      txnId: "run-1",
      originTxnId: "run-1",
      ...entry,
    },
  ]);
});

test("a report that is refused makes the next turn the last one", async () => {
  const { accounting, events, finalReport, success } = await runs(async (run) => {
    await answered(run, CALL);
    expect(run.isForced).toBe(false);
    const { text, isError } = run.report({ format: "markdown" });
    expect(isError).toBe(true);
    expect(text).toContain("content");
    expect([run.isForced, run.isOver]).toEqual([true, false]);
    const attempt = await streamed(run, [ASK], { tools: [{ name: "t" }] });
    expect(attempt.onlyReport).toBe(true);
    expect(attempt.notices).toEqual([expect.stringContaining("this is the last turn")]);
    attempt.end(reply({ text: "done" }));
    expect(run.isOver).toBe(true);
  });
  expect({ success, content: finalReport?.content }).toEqual({ success: true, content: "done" });
  expect(accounting[1]).toMatchObject({ status: "failed", error: "The report was invalid" });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "llm-request",
      turn: 2,
      forcedFinalTurnReason: "report_failed",
    }),
  );
});

test("a report that is refused before the last turn keeps its reason", async () => {
  const { events } = await runs(
    async (run) => {
      await answered(run, CALL);
      run.report({ format: "markdown" });
      await answered(run, CALL);
    },
    { maxTurns: 2 },
  );
  expect(
    events.flatMap((event) => (event.type === "llm-request" ? [event.forcedFinalTurnReason] : [])),
  ).toEqual([undefined, "report_failed"]);
});

test.each([
  [{ city: "Paris" }, "ok"],
  [{ town: "Paris" }, "Validation failed"],
])("a report is held to the output schema: %j", async (content, said) => {
  const sent = { format: "json", content_json: content };
  await runs(async (run) => expect(run.report(sent).text).toContain(said), {
    expectedOutputFormat: "json",
    outputSchema: CITY,
  });
});

test("the contract of the host writes what is wrong with a report", async () => {
  const contract = createContract({ logger: false, format: { style: "compact" } });
  const sent = { format: "json", content_json: { city: 5 } };
  const options = { expectedOutputFormat: "json", outputSchema: CITY } as const;
  const texts = await Promise.all(
    [{}, { contract }].map(async (host) => {
      let text = "";
      await runs(async (run) => void ({ text } = run.report(sent)), options, {}, host);
      return text;
    }),
  );
  expect(texts[1]).toContain("- /content_json/city");
  expect(texts[0]).not.toBe(texts[1]);
});

test("a run knows which turn is its last", async () => {
  await runs(
    async (run) => {
      const seen: boolean[][] = [];
      for (let turn = 0; turn <= 3; turn += 1) {
        seen.push([run.isForced, run.isOver]);
        if (!run.isOver) await answered(run, CALL);
      }
      expect(seen).toEqual([
        [false, false],
        [false, false],
        [true, false],
        [true, true],
      ]);
      await expect(answered(run, CALL)).rejects.toThrow("no other turn is left");
    },
    { maxTurns: 3 },
  );
});

test("what the loop returns comes with the result, and nothing if it returns nothing", async () => {
  expect(await runs(async () => "value")).toHaveProperty("value", "value");
  expect(await runs(async () => undefined)).not.toHaveProperty("value");
});

test.each<readonly [string, Error | undefined, string]>([
  ["nobody read to its end", undefined, "The answer was not read to its end"],
  ["the caller aborted", new Error("the user left"), "the user left"],
])("a stream that %s is counted as failed", async (_, reason, error) => {
  const { accounting } = await runs(async (run) => {
    const controller = new AbortController();
    await streamed(run, [ASK], { signal: controller.signal });
    if (reason !== undefined) controller.abort(reason);
  });
  expect(accounting).toMatchObject([{ status: "failed", error }]);
});

test.each<readonly [string, (misuse: Error) => Parameters<typeof runs>]>([
  [
    "thrown by the loop",
    (misuse) => [
      async () => {
        throw misuse;
      },
    ],
  ],
  ["that ended the loop", (thrown) => [async () => undefined, {}, { end: () => ({ thrown }) }]],
])("a misuse %s is not a result of a run", async (_, given) => {
  const misuse = new ToolContractError("pass a model");
  await expect(runs(...given(misuse))).rejects.toBe(misuse);
});

test.each<readonly [string, boolean, object, object | undefined]>([
  [
    "the caller's abort",
    false,
    { success: false, error: "The run was aborted: too slow" },
    undefined,
  ],
  [
    "a time limit of the framework",
    true,
    { success: false, error: "too slow" },
    { reason: "attempts_exhausted" },
  ],
])("%s ends a run in its own words", async (_, isTimeLimit, verdict, metadata) => {
  const controller = new AbortController();
  const { success, error, finalReport } = await runs(
    async (run) => {
      await answered(run, CALL, [ASK], { signal: controller.signal });
      controller.abort(new Error("too slow"));
    },
    {},
    {},
    { isTimeLimit: () => isTimeLimit },
  );
  expect({ success, error }).toEqual(verdict);
  expect(finalReport?.metadata).toEqual(metadata);
});

test("a signal of the framework's own is not the caller's", async () => {
  const { success, error } = await runs(
    async (run) => {
      const controller = new AbortController();
      await answered(run, reply({ text: "done" }), [ASK], { signal: controller.signal });
      controller.abort();
    },
    {},
    { callerSignal: undefined },
  );
  expect({ success, error }).toEqual({ success: true, error: undefined });
});

test("runs inside a tool carry on the ids of the run around them", async () => {
  const idsOf = ({ txnId, parentTxnId, originTxnId }: TraceIds): readonly unknown[] => [
    txnId,
    parentTxnId,
    originTxnId,
  ];
  let inner: readonly TraceIds[] = [];
  const { accounting } = await runs(
    async (run) => {
      await answered(run, CALL);
      const ran = await runs(async (nested) => answered(nested, CALL), {
        trace: { txnId: "inner" },
      });
      inner = ran.accounting;
    },
    { trace: { txnId: "outer" } },
  );
  expect(accounting.map(idsOf)).toEqual([["outer", undefined, "outer"]]);
  expect(inner.map(idsOf)).toEqual([["inner", "outer", "outer"]]);
});

test("what is not judged is said once, in words of its own or the adapter's", async () => {
  const { events } = await runs(async (run) => {
    run.notJudged("middleware");
    run.notJudged("middleware", "again");
    run.notJudged("provider-tool", "code_interpreter runs at the provider");
    run.notJudged("stop-reason");
  });
  expect(events).toEqual([
    {
      type: "not-judged",
      what: "middleware",
      detail: "Middleware ends the run or repeats requests outside of the limits",
    },
    {
      type: "not-judged",
      what: "provider-tool",
      detail: "code_interpreter runs at the provider",
    },
    {
      type: "not-judged",
      what: "stop-reason",
      detail:
        "The final report has no closing tag and the provider does not say why the answer ended; it is taken as complete",
    },
  ]);
});
