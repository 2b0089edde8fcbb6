import {
  type CallReport,
  type CaseTurn,
  type ConformanceCase,
  type CreateHarness,
  describeAdapter,
  outputOf,
  watched,
} from "@toolcontract/case-table";
import {
  type Contract,
  type Handled,
  type HandledInTurn,
  type ModelTurn,
  type ToolCall,
  countAttempts,
  createContract,
  parseRejection,
  resultMarker,
} from "@toolcontract/core";
import { createGuardrails, slotStore } from "./index.ts";

type Observed = Parameters<CreateHarness>[1];

/** The contract of a case; a case without a stage gets guardrails that ask nothing and must change nothing. */
function contractOf({ options = {} }: ConformanceCase, observers: Observed): Contract {
  const { guardrails = createGuardrails({ guardrails: [] }) } = options;
  const known = new Set<unknown>([
    "No effect is declared for a tool, so it counts as irreversible",
  ]);
  return watched(
    createContract({
      ...options,
      ...observers,
      guardrails,
      logger: (fields, message) => {
        if (!known.has(message)) observers.logger(fields, message);
      },
    }),
  );
}

/** An own loop that leaves the counting to the contract. */
const withTracker: CreateHarness = (testCase, observers) => {
  const contract = contractOf(testCase, observers);
  let run = 0;
  return {
    async runTurn(turn) {
      if (turn.user) run += 1;
      const { finishReason } = turn;
      const runs = new Map<string, unknown>();
      const handled = await contract.handleTurn(turn.calls.map(toCall), {
        tools: testCase.tools,
        conversationId: "thread-7",
        runId: `run-${run}`,
        ...(finishReason !== undefined && { finishReason }),
        execute: (args, { call }) => answerOf(call, turn, args, runs),
      });
      return handled.map((one) => reportOf(one, runs));
    },
  };
};

/** An own loop that keeps the messages, from which attempts are counted, as after a restart. */
const withHistory: CreateHarness = (testCase, observers) => {
  const contract = contractOf(testCase, observers);
  const { tools, options = {} } = testCase;
  const declaredTools = new Set(tools.map(({ name }) => name));
  const history: ModelTurn[] = [];
  return {
    async runTurn(turn) {
      const runs = new Map<string, unknown>();
      const place = turn.user ? { afterUserMessage: true } : {};
      const before = [...history, { calls: [], results: [], ...place }];
      const calls = turn.calls.map(toCall);
      const answer = async (call: ToolCall, index: number): Promise<Handled> => {
        const scope = options.scope ?? "run";
        const { finishReason } = turn;
        return contract.handle(call, {
          tools,
          conversationId: "thread-7",
          attempts: countAttempts(before, call.name, scope, { declaredTools }),
          turnId: `${before.length}`,
          // Output is cut at its end, so only the last call can be.
          ...(finishReason !== undefined && index === calls.length - 1 && { finishReason }),
          execute: (args: unknown) => answerOf(call, turn, args, runs),
        });
      };
      const handled = await Promise.all(calls.map(answer));
      const results = handled.map(({ result }) => {
        const { toolCallId, isError } = result;
        const isOurs = result.status !== "executed";
        return { toolCallId, isError, ...(isOurs && { marker: resultMarker(result) }) };
      });
      history.push({ calls, results, ...place });
      return handled.map((one) => reportOf(one, runs));
    },
  };
};

function toCall({ id, tool, arguments: text }: CaseTurn["calls"][number]): ToolCall {
  return { id, name: tool, arguments: text };
}

function answerOf(
  { id }: ToolCall,
  { calls }: CaseTurn,
  args: unknown,
  runs: Map<string, unknown>,
): object {
  const given = calls.find((one) => one.id === id);
  runs.set(id, args);
  const content = [{ type: "text", text: outputOf(given ?? {}) }];
  return { content, isError: given?.fails ?? false };
}

function reportOf(
  { status, result }: HandledInTurn,
  runs: ReadonlyMap<string, unknown>,
): CallReport {
  const { toolCallId: id, content, isError } = result;
  if (status === "ask") throw new Error("No case asks a person.");
  const outcome = status === "failed" ? "executed" : status;
  return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
}

for (const [name, harness] of [
  ["an own loop under guardrails", withTracker],
  ["an own loop under guardrails, counting from marked messages", withHistory],
] as const) {
  describeAdapter(name, harness, {
    parseRejection,
    createGuardrails: ({ state, ...options }) =>
      createGuardrails({ ...options, store: slotStore(state) }),
  });
}
