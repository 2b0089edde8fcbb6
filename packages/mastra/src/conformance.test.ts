import {
  type CreateHarness,
  describeAdapter,
  outputOf,
  watchedOptions,
} from "@toolcontract/case-table";
import { isWhole, type Share } from "@toolcontract/case-table/whole";
import { createContract, parseRejection } from "@toolcontract/core";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import { type Lab, loadMastra } from "./testing/mastra.ts";
import { answersIn, resultsIn, scriptedModel } from "./testing/scripted-model.ts";

const newest = await loadMastra("1.71");
const hosts: readonly { readonly lab: Lab; readonly stream: boolean; readonly share?: Share }[] = [
  { lab: newest, stream: true, share: "one in three" },
  // Loading a second Mastra takes seconds, and a run of an agent a tenth of one.
  ...(isWhole
    ? [
        { lab: newest, stream: false },
        { lab: await loadMastra("1.42"), stream: true },
      ]
    : []),
];

for (const { lab, stream, share = "every style" } of hosts) {
  describeAdapter(`mastra ${lab.version}${stream ? ", streamed" : ""}`, harness(lab, stream), {
    parseRejection,
    createGuardrails: ({ state, ...options }) =>
      createGuardrails({ ...options, store: slotStore(state) }),
    share,
  });
}

/** A conversation in which every turn is a run, from the messages of the last one. */
function harness(
  { agent: { Agent }, tools: { createTool }, adapter }: Lab,
  stream: boolean,
): CreateHarness {
  return (testCase, observers) => {
    const runs = new Map<string, unknown>();
    const calls = new Map(
      testCase.turns.flatMap((turn) => turn.calls.map((call) => [call.id, call] as const)),
    );
    const tools = testCase.tools.map(({ name, inputSchema }) => [
      name,
      createTool({
        id: name,
        description: name,
        inputSchema: inputSchema as never,
        execute: async (input: unknown, context) => {
          const id = context?.agent?.toolCallId ?? "";
          runs.set(id, input);
          const call: { fails?: true } = calls.get(id) ?? {};
          if (call.fails) throw new Error(outputOf(call));
          return outputOf(call);
        },
      }),
    ]);
    // The table's nulls are faults; Mastra leaves them out.
    const given = { dropNulls: false, ...testCase.options, ...observers };
    const options = watchedOptions(given, createContract);
    const model = scriptedModel();
    const agent = new Agent(
      adapter.withContract(
        {
          id: "a",
          name: "a",
          instructions: "Help.",
          model: model as never,
          tools: Object.fromEntries(tools) as never,
        },
        options,
      ),
    );
    let history: object[] = [];
    return {
      async runTurn({ user, finishReason, calls: made }) {
        if (user || history.length === 0) history.push({ role: "user", content: "Go on." });
        model.say(
          made.map(({ id, tool: name, arguments: args }) => ({ id, name, args })),
          finishReason,
        );
        const output = stream
          ? await (await agent.stream(history as never)).getFullOutput()
          : await agent.generate(history as never);
        history = [...history, ...(output.response.messages ?? [])];
        const results = resultsIn(model);
        const answers = answersIn(model);
        return made.map(({ id }) => {
          const content = answers[id] ?? "";
          const outcome = parseRejection(content)?.status ?? "executed";
          const isError = results[id]?.output?.type.startsWith("error") === true;
          return { id, outcome, content, isError, ran: runs.has(id), input: runs.get(id) };
        });
      },
    };
  };
}
