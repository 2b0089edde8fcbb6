import { expectTypeOf } from "vitest";
import { type ContractEventMap, type ErrorCode, createContract } from "@toolcontract/core";
import type {
  ExecutionStage,
  Lane,
  StageAnswer,
  StageContext,
  StageLane,
  StageRefusal,
} from "@toolcontract/core/stage";

/** The event of a package. */
interface ShelfEmptied {
  readonly toolName: string;
  readonly left: number;
}

declare module "@toolcontract/core" {
  interface ContractEventMap {
    "shelf-emptied": ShelfEmptied;
  }
  interface ErrorCodeMap {
    "SHP-001": string;
  }
}

const shelf: ExecutionStage = {
  name: "shelf",
  lanes: { guardrail: 1 },
  events: ["shelf-emptied"],
  check: (args, context) => {
    expectTypeOf(args).toEqualTypeOf<unknown>();
    expectTypeOf(context).toEqualTypeOf<StageContext>();
    return {
      action: "stop",
      lane: "guardrail",
      errors: [{ errorCode: "SHP-001", message: "empty" }],
    };
  },
  around: async ({ args, run, attempts }) => {
    expectTypeOf(args).toEqualTypeOf<unknown>();
    expectTypeOf(attempts).toEqualTypeOf<Readonly<Partial<Record<StageLane, number>>>>();
    return { action: "return", value: await run() };
  },
};

const contract = createContract({ guardrails: shelf, maxCallsPerTurn: 16 });

// A package's events are typed like the contract's own.
contract.on("shelf-emptied", (event) => {
  expectTypeOf(event).toEqualTypeOf<ShelfEmptied>();
});
contract.on("call-executed", ({ outcome, lane, durationMs }) => {
  expectTypeOf(outcome).toEqualTypeOf<
    "returned" | "failed" | "threw" | "rejected" | "blocked" | "ask"
  >();
  expectTypeOf(lane).toEqualTypeOf<Lane | undefined>();
  expectTypeOf(durationMs).toEqualTypeOf<number>();
});
contract.on("call-recovered", ({ lane, attempt }) => {
  expectTypeOf(lane).toEqualTypeOf<Lane>();
  expectTypeOf(attempt).toEqualTypeOf<number>();
});
expectTypeOf<"shelf-emptied">().toExtend<keyof ContractEventMap>();

// @ts-expect-error an unknown event
contract.on("shelf-empty", () => undefined);

expectTypeOf<"SHP-001" | "VAL-001">().toExtend<ErrorCode>();

// @ts-expect-error a code that no package declares
export const unknownCode: ErrorCode = "ZZZ-001";

// @ts-expect-error validation is the contract's own lane
export const ownLane: StageRefusal = { action: "retry", lane: "validation", errors: [] };

// @ts-expect-error an answer without an action
export const noAction: StageAnswer = { value: 1 };

// @ts-expect-error a lane that does not exist
createContract({ guardrails: { name: "a", lanes: { policy: 1 }, check: () => undefined } });
