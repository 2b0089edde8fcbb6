import { createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { steps } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";

const TURNS = [
  { calls: [{ id: "a", name: "book", input: '{"seats":"two"}' }] },
  { calls: [{ id: "b", name: "book", input: '{"seats":2' }] },
  { calls: [{ id: "c", name: "bok", input: '{"seats":2}' }] },
  { calls: [{ id: "d", name: "book", input: '{"seats":9}' }] },
  { calls: [{ id: "e", name: "book", input: '{"seats":1}' }] },
  { text: "Done." },
];

describeModes((sdk, mode) => {
  test("with mode observe, the model reads what it reads without a contract, and everything is counted", async () => {
    const ran: unknown[] = [];
    const tools = {
      book: sdk.ai.tool({
        inputSchema: z.object({ seats: z.number().transform((seats) => seats * 10) }),
        execute: (input: unknown) => {
          ran.push(input);
          return "booked";
        },
      }),
    };
    const rule = ({ seats }: { seats: number }) =>
      seats > 80 ? [{ message: "too many seats", fieldPath: "/seats" }] : [];
    const stopWhen = steps(8);
    const bare = sdk.script(TURNS);
    await sdk.run(mode, { model: bare, settings: { tools, stopWhen } });
    const before = ran.splice(0);
    const contract = createContract({ mode: "observe", logger: false, rules: { book: [rule] } });
    const rejected = vi.fn();
    contract.on("call-rejected", rejected);
    contract.on("call-escalated", rejected);
    const observed = sdk.script(TURNS);
    const settings = sdk.adapter.withContract({ tools, contract, stopWhen });
    await sdk.run(mode, { model: observed, settings });
    expect(ran).toEqual(before);
    expect(observed.requests.map(({ prompt }) => prompt)).toEqual(
      bare.requests.map(({ prompt }) => prompt),
    );
    expect(observed.requests.map((request) => request.tools?.length)).toEqual(
      bare.requests.map((request) => request.tools?.length),
    );
    await vi.waitFor(() => expect(contract.metrics()).toMatchObject({ calls: 5 }));
    expect(contract.metrics().byCode).toEqual({
      "VAL-002": 1,
      "VAL-011": 1,
      "VAL-012": 1,
      "VAL-016": 1,
    });
    expect(rejected.mock.calls.map(([{ observed: isObserved }]) => isObserved)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  test("what guardrails refuse or ask a person about runs unasked", async () => {
    const execute = vi.fn(() => "booked");
    const inputSchema = z.object({ seats: z.number() });
    const tools = { book: sdk.ai.tool({ inputSchema, execute }) };
    const guardrails = createGuardrails({
      guardrails: [
        {
          name: "seats",
          check: ({ args }: { args: { seats: number } }) =>
            args.seats > 5 ? "too many" : { ask: "may it book?" },
        },
      ],
    });
    const contract = createContract({ mode: "observe", logger: false, guardrails });
    const model = sdk.script([
      { calls: [{ id: "a", name: "book", input: '{"seats":9}' }] },
      { calls: [{ id: "b", name: "book", input: '{"seats":1}' }] },
      { text: "Done." },
    ]);
    const settings = sdk.adapter.withContract({ tools, contract, stopWhen: steps(4) });
    const { text } = await sdk.run(mode, { model, settings });
    expect(text).toBe("Done.");
    expect(execute).toHaveBeenCalledTimes(2);
    expect(contract.metrics().byLane).toEqual({ guardrail: 1 });
  });
});
