import { createContract, type Contract, type ContractOptions } from "../contract/index.ts";
import type { CallContext, Handled } from "../call/index.ts";
import type { ContractEventMap, LogFields } from "../observe/index.ts";
import type {
  ExecutionStage,
  StageRefusal,
  ToolCall,
  ToolDefinition,
  TypedOutcome,
} from "../shared/index.ts";
import { parseRejection } from "../message/index.ts";

/** A tool whose only schema fault is a missing quantity. */
export const ADD_ITEM: ToolDefinition = {
  name: "add_item",
  inputSchema: {
    type: "object",
    properties: { qty: { type: "integer" }, sku: { type: "string" } },
    required: ["qty"],
  },
};

/** Everything that a contract with a stage did and reported. */
export interface Staged {
  readonly contract: Contract;
  /** The arguments that the tool ran with. */
  readonly ran: unknown[];
  readonly lines: { readonly fields: LogFields; readonly message: string }[];
  readonly events: { readonly name: keyof ContractEventMap; readonly event: unknown }[];
  /** Handles one call of the tool in a turn of its own, unless the context names one. */
  readonly add: (args: unknown, context?: Partial<StagedContext>) => Promise<Handled>;
}

interface StagedContext extends CallContext {
  readonly id: string;
  readonly execute: (args: unknown) => unknown;
}

const WATCHED = [
  "call-admitted",
  "call-executed",
  "call-recovered",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
] as const;

let serial = 0;

/** A call of the tool with arguments as JSON text. */
export function callOf(args: unknown, id?: string): ToolCall {
  serial += 1;
  return { id: id ?? `call_${serial}`, name: ADD_ITEM.name, arguments: JSON.stringify(args) };
}

/** Creates a contract with a stage and records what it does. */
export function staged(
  stage: Partial<ExecutionStage> | undefined,
  options: ContractOptions = {},
): Staged {
  const lines: Staged["lines"] = [];
  const events: Staged["events"] = [];
  const ran: unknown[] = [];
  const contract = createContract({
    logger: (fields, message) => lines.push({ fields, message }),
    ...(stage && { guardrails: { name: "shop", lanes: { guardrail: 3, outcome: 2 }, ...stage } }),
    ...options,
  });
  for (const name of WATCHED) contract.on(name, (event) => events.push({ name, event }));
  const execute = (args: unknown): unknown => {
    ran.push(args);
    return "added";
  };
  return {
    contract,
    ran,
    lines,
    events,
    async add(args, { id, ...context } = {}) {
      serial += 1;
      const tools = [ADD_ITEM];
      const place = { conversationId: "c", turnId: `turn_${serial}`, tools, execute };
      return contract.handle(callOf(args, id), { ...place, ...context });
    },
  };
}

/** A refusal in the guardrail lane with one error of the quantity. */
export function refusal(parts: Partial<StageRefusal> = {}): StageRefusal {
  const errors = [{ message: "order exceeds stock", fieldPath: "/qty", hint: "lower qty" }];
  return { action: "retry", lane: "guardrail", errors, ...parts };
}

/** A typed outcome that names the attempt it was made for. */
export function outcomeOf(attempt: number): TypedOutcome {
  return {
    status: "error",
    error_type: "guardrail_retry_exhausted",
    error_message: "no more attempts for add_item",
    retriable: false,
    metadata: { attempt },
  };
}

/** The header of an answer, or its status if the call ran. */
export function headerOf(answer: Handled): string {
  if (answer.status === "executed") return "executed";
  return answer.result.content.split("\n")[0] ?? "";
}

/** An answer as `lane attempt/maxAttempts`, with `!` if it closes the tool and `s` if the tool was closed before. */
export function numberOf(answer: Handled): string {
  if (answer.status === "executed") return "ran";
  const parsed = parseRejection(answer.result.content);
  const marks = `${parsed?.status === "blocked" ? "!" : ""}${parsed?.settled === true ? "s" : ""}`;
  return `${parsed?.lane} ${parsed?.attempt}/${parsed?.maxAttempts}${marks}`;
}
