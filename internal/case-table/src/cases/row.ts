import type {
  CaseCall,
  CaseOptions,
  CaseTool,
  ConformanceCase,
  ExpectedExecution,
  ExpectedRefusal,
  Json,
} from "../conformance-case.ts";

type Codes = string | readonly string[];
type Details = Partial<Omit<ExpectedRefusal, "outcome" | "codes" | "attempt">>;

/** A call that runs with the arguments that were sent, or with those given. */
export function executed(input?: Json): ExpectedExecution {
  return { outcome: "executed", ...(input !== undefined && { input }) };
}

/** A call that runs and fails, as its stage says in these words. */
export function failed(text: string): ExpectedExecution {
  return { outcome: "executed", failed: true, text, compact: text };
}

/** A call that is rejected while attempts are left. */
export function rejected(attempt: number, codes: Codes, details: Details = {}): ExpectedRefusal {
  return { outcome: "rejected", attempt, codes: [codes].flat(), ...details };
}

/** A call that uses up the last attempt, or comes after it. */
export function blocked(attempt: number, codes: Codes, details: Details = {}): ExpectedRefusal {
  return { outcome: "blocked", attempt, codes: [codes].flat(), ...details };
}

/** A call as the model wrote it. */
export function call(
  id: string,
  tool: string,
  text: string,
  expected: CaseCall["expected"],
): CaseCall {
  return { id, tool, arguments: text, expected };
}

/** A row of one call in one turn. */
export interface OneCall {
  readonly name: string;
  readonly tool: CaseTool;
  readonly arguments: string;
  readonly expected: CaseCall["expected"];
  readonly options?: CaseOptions;
  readonly finishReason?: string;
  readonly secrets?: readonly string[];
}

/** A case with one call in one turn. */
export function oneCall(row: OneCall): ConformanceCase {
  const { name, tool, arguments: text, expected, options, finishReason, secrets } = row;
  const calls = [call("call_1", tool.name, text, expected)];
  return {
    name,
    tools: [tool],
    turns: [{ calls, ...(finishReason !== undefined && { finishReason }) }],
    ...(options && { options }),
    ...(secrets && { secrets }),
  };
}
