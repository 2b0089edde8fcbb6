import { describe, expect, test } from "vitest";
import { type Admission, resultMarker } from "../call/index.ts";
import { type AttemptCount, type ModelTurn, countAttempts } from "../attempts/index.ts";
import type { Contract } from "./contract.ts";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

const tool = { name: "pay", inputSchema: { required: ["amount"] } };
const call = (id: string, name = "pay") => ({ id, name, arguments: "{}" });
const here = { conversationId: "c", tool };
const silent = { maxAttempts: 2, logger: () => undefined };

/** Each result's status, and whether it says that the tool was blocked before, as data and in its message. */
function told(answer: Admission): readonly unknown[] {
  if (answer.status === "admitted") return [answer.status];
  const inText = parseRejection(answer.result.content)?.settled;
  return [answer.status, answer.status === "blocked" && answer.settled, inText];
}

const REJECTED = ["rejected", false, false];
const SPENT = ["blocked", false, false];
const SETTLED = ["blocked", true, true];

describe("a blocked result says whether its tool was blocked before", () => {
  test.each(["standard", "compact"] as const)("counted by the tracker, %s", async (style) => {
    const contract = createContract({ ...silent, format: { style } });
    const turns = [["1"], ["2", "2 beside it"], ["3"]];
    const answers: (readonly unknown[])[] = [];
    for (const [turnId, ids] of turns.entries()) {
      for (const id of ids) {
        answers.push(told(await contract.admit(call(id), { ...here, turnId: String(turnId) })));
      }
    }
    expect(answers).toEqual([REJECTED, SPENT, SPENT, SETTLED]);
  });

  test("counted by the host, from its messages", async () => {
    const contract = createContract(silent);
    const turns: ModelTurn[] = [];
    const answers: (readonly unknown[])[] = [];
    for (const id of ["1", "2", "3"]) {
      const attempts: AttemptCount = countAttempts(turns, "pay", "run");
      const answer = await contract.admit(call(id), { ...here, attempts });
      answers.push(told(answer));
      if (answer.status === "admitted") continue;
      const { content } = answer.result;
      const result = {
        toolCallId: id,
        content,
        isError: true,
        marker: resultMarker(answer.result),
      };
      turns.push({ calls: [call(id)], results: [result] });
    }
    expect(answers).toEqual([REJECTED, SPENT, SETTLED]);
  });

  test.each([
    [1, REJECTED],
    [2, SPENT],
    [3, SETTLED],
  ])("attempt %i of a host that found the errors itself", async (attempt, expected) => {
    const error = { errorCode: "VAL-001", fieldPath: "/amount", message: "", severity: "error" };
    const contract = createContract(silent);
    const answer = await contract.reject(call("1"), [error as never], { tool, attempt });
    expect(told(answer)).toEqual(expected);
  });

  test("an unknown tool, because it was dropped", async () => {
    const contract: Contract = createContract(silent);
    await contract.admit(call("1"), { ...here, turnId: "1" });
    await contract.admit(call("2"), { ...here, turnId: "2" });
    expect(
      told(await contract.admit(call("3"), { conversationId: "c", tools: [], turnId: "3" })),
    ).toEqual(SETTLED);
  });

  test("a valid call that is refused", async () => {
    const contract = createContract({ ...silent, onBlocked: "refuse" });
    await contract.admit(call("1"), { ...here, turnId: "1" });
    await contract.admit(call("2"), { ...here, turnId: "2" });
    const valid = { ...call("3"), arguments: '{"amount":1}' };
    expect(told(await contract.admit(valid, { ...here, turnId: "3" }))).toEqual(SETTLED);
  });
});
