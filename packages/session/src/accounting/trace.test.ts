import { describe, expect, test } from "vitest";
import type { TraceIds } from "../shared/index.ts";
import { withTrace } from "./index.ts";

const idsOf = (ids: TraceIds | undefined): TraceIds | undefined => withTrace(ids, (own) => own);
const anyId = expect.stringMatching(/^[\da-f]{8}-/) as unknown as string;

describe("a run that is not nested", () => {
  test.each([
    ["has no ids without any", undefined, undefined],
    ["is its own origin", { txnId: "1" }, { txnId: "1", originTxnId: "1" }],
    [
      "begins the call path",
      { agentId: "a", txnId: "1" },
      { agentId: "a", callPath: "a", txnId: "1", originTxnId: "1" },
    ],
    [
      "gets an id",
      { agentId: "a" },
      { agentId: "a", callPath: "a", txnId: anyId, originTxnId: anyId },
    ],
    [
      "keeps what another process gave",
      { agentId: "b", callPath: "a:b", txnId: "2", parentTxnId: "1", originTxnId: "0" },
      { agentId: "b", callPath: "a:b", txnId: "2", parentTxnId: "1", originTxnId: "0" },
    ],
    [
      "takes a parent for the origin",
      { txnId: "2", parentTxnId: "1" },
      { txnId: "2", parentTxnId: "1", originTxnId: "1" },
    ],
  ])("%s", (_, ids, expected) => {
    expect(idsOf(ids)).toStrictEqual(expected);
  });
});

describe("a run in a tool of another run", () => {
  const outer = { agentId: "a", txnId: "1" };
  const nested = (ids: TraceIds | undefined): TraceIds | undefined =>
    withTrace(outer, () => idsOf(ids));

  test.each([
    [
      "continues the path",
      { agentId: "b", txnId: "2" },
      { agentId: "b", callPath: "a:b", txnId: "2", parentTxnId: "1", originTxnId: "1" },
    ],
    [
      "has an id of its own",
      { agentId: "b" },
      { agentId: "b", callPath: "a:b", txnId: anyId, parentTxnId: "1", originTxnId: "1" },
    ],
    [
      "without ids is nested as well",
      undefined,
      { callPath: "a", txnId: anyId, parentTxnId: "1", originTxnId: "1" },
    ],
    [
      "keeps ids that it was given",
      { txnId: "2", parentTxnId: "9", originTxnId: "8", callPath: "x" },
      { callPath: "x", txnId: "2", parentTxnId: "9", originTxnId: "8" },
    ],
  ])("%s", (_, ids, expected) => {
    expect(nested(ids)).toStrictEqual(expected);
  });

  test("the origin is the outermost run", () => {
    const inner = withTrace(outer, () =>
      withTrace({ agentId: "b", txnId: "2" }, () => idsOf({ agentId: "c", txnId: "3" })),
    );
    expect(inner).toStrictEqual({
      agentId: "c",
      callPath: "a:b:c",
      txnId: "3",
      parentTxnId: "2",
      originTxnId: "1",
    });
  });

  test("stays nested after waiting, apart from runs beside it", async () => {
    const run = async (txnId: string): Promise<TraceIds | undefined> =>
      withTrace({ txnId }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return idsOf({ txnId: `${txnId}.1` });
      });
    const inner = await Promise.all(["1", "2", "3"].map(run));
    expect(inner.map((ids) => ids?.parentTxnId)).toEqual(["1", "2", "3"]);
    expect(idsOf(undefined)).toBeUndefined();
  });
});
