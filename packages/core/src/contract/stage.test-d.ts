import { expectTypeOf } from "vitest";
import {
  type ContractEventMap,
  type ErrorCode,
  type ExecutionStage,
  type Lane,
  type StageAnswer,
  type StageContext,
  type StageLane,
  type StageRefusal,
  createContract,
} from "@toolcontract/core";
import { authorOf } from "@toolcontract/core/adapter";

/** The event of a package. */
interface BudgetSpent {
  readonly toolName: string;
  readonly budget: number;
}

declare module "@toolcontract/core" {
  interface ContractEventMap {
    "budget-spent": BudgetSpent;
  }
  interface ErrorCodeMap {
    "BUD-001": "Budget spent";
  }
}

const budget: ExecutionStage = {
  name: "budget",
  lanes: { guardrail: 1 },
  events: ["budget-spent"],
  check: (args, context) => {
    expectTypeOf(args).toEqualTypeOf<unknown>();
    expectTypeOf(context).toEqualTypeOf<StageContext>();
    return {
      action: "stop",
      lane: "guardrail",
      errors: [{ errorCode: "BUD-001", message: "spent" }],
    };
  },
  around: async ({ args, run, attempts }) => {
    expectTypeOf(args).toEqualTypeOf<unknown>();
    expectTypeOf(attempts).toEqualTypeOf<Readonly<Partial<Record<StageLane, number>>>>();
    return { action: "return", value: await run() };
  },
};

const contract = createContract({ guardrails: budget, maxCallsPerTurn: 16 });

// A package's events are typed like the contract's own.
contract.on("budget-spent", (event) => {
  expectTypeOf(event).toEqualTypeOf<BudgetSpent>();
});
contract.on("call-executed", ({ outcome, lane, durationMs }) => {
  expectTypeOf(outcome).toEqualTypeOf<"returned" | "failed" | "threw" | "rejected" | "blocked">();
  expectTypeOf(lane).toEqualTypeOf<Lane | undefined>();
  expectTypeOf(durationMs).toEqualTypeOf<number>();
});
contract.on("call-recovered", ({ lane, attempt }) => {
  expectTypeOf(lane).toEqualTypeOf<Lane>();
  expectTypeOf(attempt).toEqualTypeOf<number>();
});
authorOf(contract).emit("budget-spent", () => ({ toolName: "add_item", budget: 3 }));
expectTypeOf<"budget-spent">().toExtend<keyof ContractEventMap>();

// @ts-expect-error an unknown event
contract.on("budget-spend", () => undefined);

// @ts-expect-error a payload of another form
authorOf(contract).emit("budget-spent", () => ({ toolName: "add_item" }));

expectTypeOf<"BUD-001" | "VAL-001">().toExtend<ErrorCode>();

// @ts-expect-error a code that no package declares
export const unknownCode: ErrorCode = "ZZZ-001";

// @ts-expect-error validation is the contract's own lane
export const ownLane: StageRefusal = { action: "retry", lane: "validation", errors: [] };

// @ts-expect-error an answer without an action
export const noAction: StageAnswer = { value: 1 };

// @ts-expect-error a lane that does not exist
createContract({ guardrails: { name: "a", lanes: { policy: 1 }, check: () => undefined } });
