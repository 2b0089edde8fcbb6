import {
  type CallReport,
  type Capability,
  type CreateHarness,
  describeAdapter,
  outputOf,
  watchedOptions,
} from "@toolcontract/case-table";
import type { Share } from "@toolcontract/case-table/whole";
import { createContract, parseRejection } from "@toolcontract/core";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import type { ModelMessage, ToolSet } from "ai";
import { SDKS } from "./testing/both-ends.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

const CANNOT: Partial<Record<Capability, string>> = {
  finishReason:
    "the SDK tells why the output ended only after it has read the calls; it runs none of a cut output",
};

const NO_NOTES: Partial<Record<Capability, string>> = {
  advisories: "version 5 tells toModelOutput of no call, so that a note cannot find its result",
};

for (const sdk of SDKS) {
  for (const mode of ["generateText", "streamText"] as const) {
    describeAdapter(`ai ${sdk.version} ${mode}`, harness(sdk, mode), {
      parseRejection,
      createGuardrails: ({ state, ...options }) =>
        createGuardrails({ ...options, store: slotStore(state) }),
      cannot: sdk.version === 5 ? { ...CANNOT, ...NO_NOTES } : CANNOT,
      share: shareOf(sdk, mode),
    });
  }
}

function shareOf({ version }: Sdk, mode: Mode): Share {
  if (version !== 7) return "one in six";
  return mode === "generateText" ? "one style" : "one in two";
}

/** A conversation in which every turn is a run of one step, starting from the messages of the last one. */
function harness({ ai, adapter, script, run }: Sdk, mode: Mode): CreateHarness {
  return (testCase, observers) => {
    const runs = new Map<string, unknown>();
    const calls = new Map(
      testCase.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call] as const)),
    );
    const tools: ToolSet = Object.fromEntries(
      testCase.tools.map(({ name, inputSchema }) => [
        name,
        ai.tool({
          inputSchema: ai.jsonSchema(inputSchema),
          execute: async (input: unknown, { toolCallId }: { readonly toolCallId: string }) => {
            runs.set(toolCallId, input);
            const call: { fails?: true } = calls.get(toolCallId) ?? {};
            if (call.fails) throw new Error(outputOf(call));
            return outputOf(call);
          },
        }),
      ]),
    );
    const options = watchedOptions({ ...testCase.options, ...observers }, createContract);
    const settings = adapter.withContract({ ...options, tools });
    let messages: readonly ModelMessage[] = [];
    return {
      async runTurn(turn) {
        if (turn.user || messages.length === 0)
          messages = [...messages, { role: "user", content: "Go on." }];
        const made = turn.calls.map(({ id, tool, arguments: input }) => ({
          id,
          name: tool,
          input,
        }));
        const result = await run(mode, { model: script([{ calls: made }]), messages, settings });
        ({ messages } = result);
        return turn.calls.map(({ id }) => reportOf(id, messages, runs));
      },
    };
  };
}

function reportOf(
  id: string,
  messages: readonly ModelMessage[],
  runs: ReadonlyMap<string, unknown>,
): CallReport {
  const results = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  const part = results.find((one) => one.type === "tool-result" && one.toolCallId === id);
  if (part?.type !== "tool-result") throw new Error(`No result for call ${id}`);
  const { output } = part;
  const content = "value" in output && typeof output.value === "string" ? output.value : "";
  return {
    id,
    outcome: parseRejection(content)?.status ?? "executed",
    content,
    isError: output.type === "error-text",
    ran: runs.has(id),
    input: runs.get(id),
  };
}
