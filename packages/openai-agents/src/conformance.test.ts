import type { AgentInputItem } from "@openai/agents";
import {
  type CreateHarness,
  describeAdapter,
  outputOf,
  watchedOptions,
} from "@toolcontract/case-table";
import { createContract, parseRejection } from "@toolcontract/core";
import { isCuttingFinishReason } from "@toolcontract/core/adapter";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import { newest, oldest } from "./testing/both-ends.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";
import type { Sdk } from "./testing/sdk.ts";

for (const [sdk, stream] of [
  [newest, false],
  [newest, true],
  [oldest, false],
] as const) {
  describeAdapter(
    `openai agents ${sdk.version}${stream ? ", streamed" : ""}`,
    harness(sdk, stream),
    {
      parseRejection,
      createGuardrails: ({ state, ...options }) =>
        createGuardrails({ ...options, store: slotStore(state) }),
      share: stream || sdk !== newest ? "one in three" : "one style",
    },
  );
}

/** A conversation in which every turn is a run, from the history of the last one. */
function harness({ agents, adapter }: Sdk, stream: boolean): CreateHarness {
  return (testCase, observers) => {
    const runs = new Map<string, unknown>();
    const fails = new Set<string>();
    const calls = new Map(
      testCase.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call] as const)),
    );
    const tools = testCase.tools.map(({ name, inputSchema }) =>
      adapter.tool({
        name,
        description: name,
        parameters: inputSchema as never,
        strict: false,
        errorFunction: (_context: unknown, error: unknown) => (error as Error).message,
        async execute(
          input: unknown,
          _context: unknown,
          details?: { readonly toolCall?: { readonly callId: string } },
        ) {
          const id = details?.toolCall?.callId ?? "";
          runs.set(id, input);
          const call: { fails?: true } = calls.get(id) ?? {};
          if (call.fails) {
            fails.add(id);
            throw new Error(outputOf(call));
          }
          return outputOf(call);
        },
      }),
    );
    const options = watchedOptions({ ...testCase.options, ...observers }, createContract);
    const model = scriptedModel();
    const { agent, runner } = adapter.withContract(
      new agents.Agent({ name: "a", model, tools }),
      options,
    );
    let history: AgentInputItem[] = [];
    return {
      async runTurn({ user, finishReason, calls: made }) {
        if (user || history.length === 0) history = [...history, agents.user("Go on.")];
        const last = made.length - 1;
        const message = made.map(({ id, tool: name, arguments: args }, index) => {
          const isCut = isCuttingFinishReason(finishReason) && index === last;
          return { id, name, args, ...(isCut && { status: "incomplete" as const }) };
        });
        model.finishReason = finishReason;
        model.say(message, "Done.");
        const result = stream
          ? await runner.run(agent, history, { stream: true })
          : await runner.run(agent, history);
        if ("completed" in result) await result.completed;
        ({ history } = result);
        const answers = answersIn(model);
        return made.map(({ id }) => {
          const content = answers[id] ?? "";
          const outcome = parseRejection(content)?.status ?? "executed";
          // The SDK has no error flag: only the text says that a call failed.
          const isError = !content.startsWith(outputOf(calls.get(id) ?? {})) || fails.has(id);
          return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
        });
      },
    };
  };
}
