import fc from "fast-check";
import { expect, test } from "vitest";
import { createContract } from "../contract/index.ts";
import { PROVIDER_FORMS } from "../testing/provider-messages.ts";
import type { WireTexts, WireTurn } from "./index.ts";
import {
  anthropic,
  cohere,
  gemini,
  mistral,
  ollama,
  openai,
  realtime,
  responses,
} from "./index.ts";

const wire = { anthropic, cohere, gemini, mistral, ollama, openai, realtime, responses };

const RUNS = 200;
const MEMBERS =
  "id choices message tool_calls toolCalls function custom name arguments args input content type candidates parts functionCall output response " +
  "status finish_reason stop_reason finishReason delta index output_index item content_block caller namespace call_id data";
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(
      null,
      undefined,
      "",
      "{",
      "tool_use",
      "function_call",
      0,
      -1,
      NaN,
      true,
    ),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...MEMBERS.split(" ")), tie("value"), { maxKeys: 6 }),
  ),
}));

/** A real message or event with some of its members replaced by anything. */
function bent(whole: unknown, garbage: unknown, isHit: () => boolean): unknown {
  if (isHit()) return garbage;
  if (Array.isArray(whole)) return whole.map((one) => bent(one, garbage, isHit));
  if (typeof whole !== "object" || whole === null) return whole;
  return Object.fromEntries(
    Object.entries(whole).map(([key, value]) => [key, bent(value, garbage, isHit)]),
  );
}

const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("no");
    },
  },
);

test.each(Object.entries(PROVIDER_FORMS))(
  "%s: 200 garbage messages and streams: nothing throws, and each call is answered",
  async (name, form) => {
    const api = wire[name as keyof typeof PROVIDER_FORMS];
    const read = api.read as (response: unknown, texts?: WireTexts) => WireTurn;
    const calls = [{ id: "abcdefgh1", name: "wipe", text: '{"city":"Oslo"}' }];
    const whole = form.response(calls, form.reasons.whole);
    const events = form.events(calls, form.reasons.whole);
    const contract = createContract({ logger: false });
    const context = { tools: [{ name: "wipe", inputSchema: {} }], execute: () => "done" };
    expect(read(hostile).calls).toEqual([]);
    await fc.assert(
      fc.asyncProperty(anything, fc.array(fc.nat(9), { minLength: 20 }), async (garbage, dice) => {
        let thrown = 0;
        const isHit = (): boolean => dice[(thrown += 1) % dice.length] === 0;
        const texts = api.texts();
        for (const event of events) texts.add(bent(event, garbage, isHit));
        texts.add(garbage);
        for (const given of [garbage, bent(whole, garbage, isHit)]) {
          for (const kept of [undefined, texts]) {
            const { calls: found, ...turn } = read(given, kept);
            const place = { ...context, conversationId: "thread-7", ...turn };
            const handled = await contract.handleTurn(found, place);
            expect(handled).toHaveLength(found.length);
            expect(() => api.write(handled)).not.toThrow();
          }
        }
      }),
      { numRuns: RUNS },
    );
  },
);
