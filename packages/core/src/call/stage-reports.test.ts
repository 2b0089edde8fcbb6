import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, staged } from "../testing/staged.ts";
import type { ExecutionStage, StageReports } from "../shared/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { createContract } from "../contract/index.ts";

const KEY = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";

/** A stage that keeps what it was given to report with, wherever it was given it. */
function reporting(events?: readonly string[]) {
  const seen: StageReports[] = [];
  const stage: Partial<ExecutionStage> = {
    ...(events && { events }),
    attach: (reports) => void seen.push(reports),
    check: (_, { reports }) => void seen.push(reports),
    async around({ reports, run }) {
      seen.push(reports);
      return { action: "return", value: await run() };
    },
  };
  return { stage, seen };
}

describe("what a stage reports with", () => {
  test("is one object for a contract: once on creation, then in every check and run", async () => {
    const { stage, seen } = reporting();
    const { contract, add } = staged(stage);
    expect(seen).toHaveLength(1);
    await add({ qty: 1 });
    await add({ qty: 2 });
    await contract.checkAsync(ADD_ITEM, { qty: 3 });
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(1);
  });

  test("is another one for each contract of a stage", () => {
    const { stage, seen } = reporting();
    staged(stage);
    staged(stage);
    expect(new Set(seen).size).toBe(2);
  });

  test("emits the stage's events, and makes a payload only if somebody listens", () => {
    const { stage, seen } = reporting(["spent"]);
    const { contract } = staged(stage);
    const payload = vi.fn(() => ({ left: 0 }));
    seen[0]?.emit("spent", payload);
    expect(payload).not.toHaveBeenCalled();
    const heard: unknown[] = [];
    contract.on("spent" as never, (event) => heard.push(event));
    seen[0]?.emit("spent", payload);
    expect(heard).toEqual([{ left: 0 }]);
  });

  test.each([
    ["an event that it does not name", ["spent"], "spend", "its `events`: spent."],
    ["an event of the contract", ["spent"], "call-admitted", "its `events`: spent."],
    ["an event, but it names none", undefined, "spent", "its `events`: none."],
  ])("throws if the stage emits %s", (_, events, event, words) => {
    const { stage, seen } = reporting(events);
    staged(stage);
    expect(() => seen[0]?.emit(event, () => 1)).toThrow(ToolContractError);
    expect(() => seen[0]?.emit(event, () => 1)).toThrow(words);
  });

  test("writes to the contract's logger, and cleans strings as the contract does", () => {
    const { stage, seen } = reporting();
    const { lines } = staged(stage, { workspaceRoot: "/srv/app" });
    seen[0]?.log({ level: "info", package: "shop", left: 3 }, "Shelf counted");
    expect(lines).toEqual([
      { fields: { level: "info", package: "shop", left: 3 }, message: "Shelf counted" },
    ]);
    expect(seen[0]?.sanitize(`${KEY} in /srv/app/a.txt\nend`)).toBe("[redacted] in a.txt\\nend");
    expect(seen[0]?.sanitize("a".repeat(900))).toHaveLength(300);
    expect(seen[0]?.sanitize("a".repeat(900), 20)).toHaveLength(20);
  });

  test("an attach that throws stops the contract from being created", () => {
    const stage: ExecutionStage = {
      name: "shop",
      lanes: { guardrail: 1 },
      check: () => undefined,
      attach() {
        throw new ToolContractError("the store is of another version");
      },
    };
    expect(() => createContract({ guardrails: stage })).toThrow("the store is of another version");
  });
});

describe("a refusal by check", () => {
  const refusing = (onCounted: unknown): Partial<ExecutionStage> => ({
    check: () => ({
      action: "retry",
      lane: "guardrail",
      errors: [{ message: "closed" }],
      onCounted: onCounted as never,
    }),
  });

  test("says of which call it was counted, once for each", async () => {
    const counted = vi.fn();
    const { contract, add } = staged(refusing(counted));
    await contract.checkAsync(ADD_ITEM, { qty: 1 });
    expect(counted).not.toHaveBeenCalled();
    await add({ qty: 1 });
    await add({ qty: 2 });
    expect(
      counted.mock.calls.map(([place, attempt]) => [place.callId, place.tool, attempt]),
    ).toEqual([
      [expect.any(String), "add_item", 1],
      [expect.any(String), "add_item", 2],
    ]);
  });

  test("is answered even if its onCounted throws", async () => {
    const { add } = staged(
      refusing(() => {
        throw new Error("down");
      }),
    );
    expect((await add({ qty: 1 })).status).toBe("rejected");
  });

  test("whose onCounted is not a function is the author's mistake", async () => {
    const { add } = staged(refusing("later"));
    await expect(add({ qty: 1 })).rejects.toThrow(
      "`onCounted` must be a function (context, attempt)",
    );
  });
});
