import { createAnthropic } from "@ai-sdk/anthropic";
import { parseRejection } from "@toolcontract/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { anthropicWire } from "./testing/anthropic-wire.ts";
import { describeModes } from "./testing/both-ends.ts";
import { steps } from "./testing/describe-on.ts";
import { openaiChatWire } from "./testing/openai-chat-wire.ts";
import { openaiResponsesWire } from "./testing/openai-responses-wire.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";
import { quiet } from "./testing/travel.ts";
import { type WireApi, wireModel } from "./testing/wire.ts";

const OPENAI: readonly WireApi[] = [openaiChatWire, openaiResponsesWire];
const APIS: readonly WireApi[] = [anthropicWire, ...OPENAI];

const search = ({ ai }: Sdk) => ({
  find: ai.tool({
    description: "Finds a record",
    inputSchema: z.object({ id: z.int() }),
    strict: true,
    execute: async () => "found",
  }),
});
const call = (input: string) => ({ calls: [{ id: "call_1", name: "find", input }] });

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test("Anthropic gets exactly the contract's text with is_error, after the call as the model sent it", async () => {
    const turns = [{ text: "Let me see", ...call('{"id":"seven"}') }, { text: "sorry" }];
    const { model, sent } = await wireModel(anthropicWire, sdk.version, turns);
    const settings = withContract({ ...quiet, tools: search(sdk), stopWhen: steps(2) });
    const { text } = await sdk.run(mode, { model: { model }, settings });
    expect([text, sent.length]).toEqual(["sorry", 2]);
    const [result, ...more] = anthropicWire.results(sent[1]!);
    expect(result).toMatchObject({ id: "call_1", isError: true });
    expect(parseRejection(result?.text)).toMatchObject({
      attempt: 1,
      errors: [{ fieldPath: "/id" }],
    });
    expect([more, anthropicWire.replayed(sent[1]!)]).toEqual([[], [{ id: "seven" }]]);
  });

  test.each(OPENAI)("$name gets the text, inside JSON since version 7", async (api) => {
    const turns = [{ text: "Let me see", ...call('{"id":"seven"}') }, { text: "sorry" }];
    const { model, sent } = await wireModel(api, sdk.version, turns);
    const settings = withContract({ ...quiet, tools: search(sdk), stopWhen: steps(2) });
    const { text } = await sdk.run(mode, { model: { model }, settings });
    expect([text, sent.length]).toEqual(["sorry", 2]);
    const [result, ...more] = api.results(sent[1]!);
    expect([result?.id, more]).toEqual(["call_1", []]);
    const answer: unknown =
      sdk.version === 7
        ? (JSON.parse(result!.text) as { readonly error: unknown }).error
        : result?.text;
    expect(parseRejection(answer)).toMatchObject({ attempt: 1, errors: [{ fieldPath: "/id" }] });
    // Inside JSON every line break becomes an escape, so lines stay few and short.
    for (const line of String(answer).split("\n")) expect(line.length).toBeLessThan(120);
  });

  test.each(APIS)(
    "$name is sent byte for byte the same tools as without the contract",
    async (api) => {
      const tools = search(sdk);
      const bodies = [];
      for (const settings of [{ tools }, withContract({ ...quiet, tools })]) {
        const { model, sent } = await wireModel(api, sdk.version, [{ text: "done" }]);
        await sdk.run(mode, { model: { model }, settings });
        expect(api.schemas(sent[0]!)).toMatchObject([
          {
            properties: { id: { type: "integer" } },
            required: ["id"],
            additionalProperties: false,
          },
        ]);
        expect(JSON.stringify(sent[0])).toContain("Finds a record");
        bodies.push(JSON.stringify(sent[0]));
      }
      expect(bodies[1]).toBe(bodies[0]);
    },
  );

  test.for(APIS)(
    "$name is sent an object for arguments that were no JSON, and the reason",
    async (api, { skip }) => {
      const reason = notReplayed(api, sdk, mode);
      if (reason !== undefined) skip(reason);
      const turns = [call('{"id":'), { text: "sorry" }];
      const { model, sent } = await wireModel(api, sdk.version, turns);
      const settings = withContract({ ...quiet, tools: search(sdk), stopWhen: steps(2) });
      await sdk.run(mode, { model: { model }, settings });
      expect(api.results(sent[1]!)[0]?.text).toContain("VAL-011");
      const [input] = api.replayed(sent[1]!);
      expect(typeof input === "string" ? JSON.parse(input) : input).toEqual({});
    },
  );
});

/** Why a provider's second request cannot have the arguments as an object. */
function notReplayed(api: WireApi, { version }: Sdk, mode: Mode): string | undefined {
  const isStream = mode === "streamText" || mode === "streaming agent";
  if (api === anthropicWire && !isStream) return "a whole answer holds arguments as an object";
  if (api === openaiResponsesWire && version === 5) return "it refers to the call by its id";
  return undefined;
}

const UNTOUCHED = "only version 7 tells which of the provider's tools the application runs";

describeModes(
  (sdk, mode) => {
    test("a tool that the provider defines and the application runs is guarded, and declared as before", async () => {
      const bash = createAnthropic({ apiKey: "none" }).tools.bash_20250124({
        execute: async () => "never",
      });
      const made = { calls: [{ id: "call_1", name: "bash", input: '{"command":7}' }] };
      const { model, sent } = await wireModel(anthropicWire, sdk.version, [made]);
      const settings = sdk.adapter.withContract({ ...quiet, tools: { bash }, stopWhen: steps(2) });
      await sdk.run(mode, { model: { model }, settings });
      expect(sent[0]!["tools"]).toMatchObject([{ name: "bash", type: "bash_20250124" }]);
      const [result] = anthropicWire.results(sent[1]!);
      expect(result).toMatchObject({ isError: true });
      expect(parseRejection(result?.text)).toMatchObject({ errors: [{ fieldPath: "/command" }] });
    });
  },
  { 6: UNTOUCHED, 5: UNTOUCHED },
);
