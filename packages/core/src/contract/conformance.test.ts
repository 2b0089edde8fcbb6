import {
  type CallReport,
  type CaseTurn,
  type ConformanceCase,
  type CreateHarness,
  describeAdapter,
  outputOf,
  watched,
} from "@toolcontract/case-table";
import type { Contract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";
import { type Handled, type HandledInTurn, type ToolResult, resultMarker } from "../call/index.ts";
import { type ModelTurn, type TurnResult, countAttempts } from "../attempts/index.ts";
import type { ToolCall } from "../shared/index.ts";
import type { ValidationError } from "@toolcontract/explain";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

type Observed = Parameters<CreateHarness>[1];
type Runs = Map<string, unknown>;

function optionsOf({ options }: ConformanceCase, observers: Partial<Observed>): ContractOptions {
  return { ...options, ...observers };
}

/** How the tool of a host fails. */
type Failing = "returns" | "throws";

/** The case's tool: it returns, or fails as MCP tools do or by throwing. */
function executeOf(
  turn: CaseTurn,
  runs: Runs,
  failing: Failing = "returns",
): (args: unknown, context: { readonly call: ToolCall }) => unknown {
  return (args, { call }) => {
    const given = turn.calls.find(({ id }) => id === call.id);
    runs.set(call.id, args);
    const text = outputOf(given ?? {});
    const isError = given?.fails ?? false;
    if (isError && failing === "throws") throw new Error(text);
    return { content: [{ type: "text", text }], isError };
  };
}

function toReport({ status, result }: HandledInTurn, runs: Runs): CallReport {
  const { toolCallId: id, content, isError } = result;
  if (status === "ask") throw new Error("No case asks a person.");
  const outcome = status === "failed" ? "executed" : status;
  return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
}

/** A host without a message history: the contract's tracker counts. */
function withTracker(
  toCall: (call: CaseTurn["calls"][number]) => ToolCall,
  extra: ContractOptions = {},
  failing: Failing = "returns",
): CreateHarness {
  return (testCase, observers) => {
    const contract = watched(createContract({ ...optionsOf(testCase, observers), ...extra }));
    let run = 0;
    return {
      async runTurn(turn) {
        if (turn.user) run += 1;
        const runs: Runs = new Map();
        const { finishReason } = turn;
        const handled = await contract.handleTurn(turn.calls.map(toCall), {
          tools: testCase.tools,
          conversationId: "thread-7",
          runId: `run-${run}`,
          ...(finishReason !== undefined && { finishReason }),
          execute: executeOf(turn, runs, failing),
        });
        return handled.map((one) => toReport(one, runs));
      },
    };
  };
}

/** A host with a message history: it checks, counts from the history, and answers. */
function withHistory(toResult: (result: ToolResult) => TurnResult): CreateHarness {
  return (testCase, observers) => {
    const contract = watched(createContract(optionsOf(testCase, observers)));
    const history: ModelTurn[] = [];
    return {
      async runTurn(turn) {
        const runs: Runs = new Map();
        const place = turn.user ? { afterUserMessage: true } : {};
        const before = [...history, { calls: [], results: [], ...place }];
        const answers = await Promise.all(
          turn.calls.map(async (call) => {
            const answer = await answerCall(textCall(call), {
              contract,
              testCase,
              turn,
              before,
              runs,
            });
            return answer;
          }),
        );
        const calls = turn.calls.map(textCall);
        history.push({ calls, results: answers.map(({ result }) => toResult(result)), ...place });
        return answers.map((answer) => toReport(answer, runs));
      },
    };
  };
}

interface Scene {
  readonly contract: Contract;
  readonly testCase: ConformanceCase;
  readonly turn: CaseTurn;
  readonly before: readonly ModelTurn[];
  readonly runs: Runs;
}

async function answerCall(call: ToolCall, scene: Scene): Promise<Handled> {
  const { contract, testCase, turn, before, runs } = scene;
  const { tools, options = {} } = testCase;
  const tool = tools.find(({ name }) => name === call.name);
  const declaredTools = new Set(tools.map(({ name }) => name));
  const attempts = countAttempts(before, call.name, options.scope ?? "run", {
    declaredTools,
  });
  // What may be refused after it was admitted runs inside the contract; who was meant by a name, its tools say.
  if (contract.settings.runsTools || tool === undefined) {
    const context = { tools, conversationId: "thread-7", attempts, turnId: `${before.length}` };
    return contract.handle(call, { ...context, execute: executeOf(turn, runs) });
  }
  const { failed, history, blocked } = attempts;
  const place = { attempt: failed + 1, history, conversationId: "thread-7" };
  // Output is truncated at its end, so only the last call can be.
  const finishReason = turn.calls.at(-1)?.id === call.id ? turn.finishReason : undefined;
  const checked = contract.check(tool, call.arguments, {
    ...(finishReason !== undefined && { finishReason }),
  });
  if (checked.status === "invalid")
    return contract.reject(call, checked.errors, { ...place, ...checked, tool });
  if (blocked && options.onBlocked === "refuse")
    return contract.reject(call, [STILL_BLOCKED], { ...place, tool });
  // Run by a contract that counts nothing, so that advisories reach the model the same way.
  return createContract({ ...optionsOf(testCase, { logger: () => undefined }) }).handle(call, {
    tool,
    conversationId: call.id,
    execute: executeOf(turn, runs),
  });
}

const STILL_BLOCKED: ValidationError = {
  errorCode: "VAL-016",
  fieldPath: "",
  message: "This tool is blocked until someone steps in",
  severity: "error",
};

function textCall({ id, tool, arguments: text }: CaseTurn["calls"][number]): ToolCall {
  return { id, name: tool, arguments: text };
}

/** A host that parses itself: it passes the object and its text. */
function valueCall(call: CaseTurn["calls"][number]): ToolCall {
  const { id, tool, arguments: rawText } = call;
  try {
    const value: unknown = JSON.parse(rawText);
    // A parsed string is indistinguishable from JSON text.
    return typeof value === "object"
      ? { id, name: tool, arguments: value, rawText }
      : textCall(call);
  } catch {
    return textCall(call);
  }
}

function marked(result: ToolResult): TurnResult {
  const { toolCallId, isError } = result;
  const isOurs = result.status !== "executed";
  return { toolCallId, isError, ...(isOurs && { marker: resultMarker(result) }) };
}

function unmarked({ toolCallId, isError, content }: ToolResult): TurnResult {
  return { toolCallId, isError, content };
}

const OPTIONS = {
  parseRejection,
  cannot: { guardrails: "they are a package on top of core, whose own tests run these cases" },
};

describeAdapter("core counting by itself", withTracker(textCall), {
  ...OPTIONS,
  share: "every style",
});
describeAdapter("core given parsed values", withTracker(valueCall, {}, "throws"), OPTIONS);
describeAdapter("core walking schemas", withTracker(textCall, { interpreter: true }), OPTIONS);
describeAdapter("core counting from marked messages", withHistory(marked), OPTIONS);
describeAdapter("core counting from the texts of messages", withHistory(unmarked), OPTIONS);
