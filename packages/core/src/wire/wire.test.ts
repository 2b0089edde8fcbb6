import { describe, expect, test } from "vitest";
import { createContract } from "../contract/index.ts";
import { type HandledInTurn } from "../call/index.ts";
import { defineTool } from "../shared/index.ts";
import {
  PROVIDER_FORMS,
  type ProviderForm,
  type ScriptedCall,
} from "../testing/provider-messages.ts";
import { PROVIDER_RULES } from "../testing/provider-rules.ts";
import { WIRE_ROWS, type WireName, type WireRow } from "../testing/wire-rows.ts";
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
import type { WireTexts, WireTurn } from "./index.ts";

const wire = { anthropic, cohere, gemini, mistral, ollama, openai, realtime, responses };

interface AnyWire {
  read(response: unknown, texts?: WireTexts): WireTurn;
  write(handled: readonly HandledInTurn[]): readonly unknown[];
  texts(): WireTexts;
}

const APIS = Object.entries(PROVIDER_FORMS).map(([name, form]) => ({
  name: name as WireName,
  form: form as ProviderForm,
  api: wire[name as WireName] as AnyWire,
}));

interface Handled {
  readonly ran: readonly unknown[];
  readonly statuses: readonly string[];
  readonly handled: readonly HandledInTurn[];
}

async function handle({ calls, ...turn }: WireTurn): Promise<Handled> {
  const ran: unknown[] = [];
  const execute = (args: unknown): string => {
    ran.push(args);
    return "done";
  };
  const city = { type: "string" };
  const tools = [
    defineTool({
      name: "get_weather",
      inputSchema: { type: "object", properties: { city }, required: ["city"] },
      execute,
    }),
    defineTool({ name: "wipe", inputSchema: { type: "object", properties: { city } }, execute }),
    defineTool({ name: "shell", inputSchema: { type: "string" }, execute }),
  ];
  const contract = createContract({ logger: false });
  const handled = await contract.handleTurn(calls, { tools, conversationId: "thread-7", ...turn });
  return { ran, statuses: handled.map(({ status }) => status), handled };
}

const id = (index: number): string => `abcdefgh${index}`;
const weather = (index: number, text: string): ScriptedCall => {
  return { id: id(index), name: "get_weather", text };
};
// The property test has the row of garbage.
const played = new Set<WireRow>([
  "200 garbage messages and streams: nothing throws, and each call is answered",
]);
/** The title of a row of the table in the documentation. */
function row(title: WireRow): WireRow {
  played.add(title);
  return title;
}
const holds = (title: WireRow, name: WireName): boolean =>
  (WIRE_ROWS[title] as readonly WireName[]).includes(name);
const withoutId = ({ name, text }: ScriptedCall): ScriptedCall => ({ name, text });

describe.each(APIS)("$name", ({ name, form, api }) => {
  const { whole, cut, other } = form.reasons;
  const rule = PROVIDER_RULES[name] ?? (() => "no rule");
  const calls = [weather(0, '{"city":"Oslo"}'), weather(1, '{"city":5}')];
  const next = (response: unknown, { handled }: Handled): readonly unknown[] => [
    ...form.history(response as never),
    ...api.write(handled),
  ];
  function streamed(sent: readonly ScriptedCall[], reason: string): WireTexts {
    const texts = api.texts();
    for (const event of form.events(sent, reason)) texts.add(event);
    return texts;
  }

  test(row("a valid call runs beside an invalid one, and the next request is taken"), async () => {
    const response = form.response(calls, whole);
    const done = await handle(api.read(response));
    expect(done.ran).toEqual([{ city: "Oslo" }]);
    expect(done.statuses).toEqual(["executed", "rejected"]);
    expect(rule(next(response, done))).toBeUndefined();
    expect(JSON.stringify(api.write(done.handled))).toContain("Validation failed");
  });

  test(row("the same as a stream, with and without the response"), async () => {
    const response = form.response(calls, whole);
    for (const given of [response, undefined, null]) {
      const turn = api.read(given, streamed(calls, whole));
      expect(turn.calls).toHaveLength(2);
      const done = await handle(turn);
      expect(done.ran).toEqual([{ city: "Oslo" }]);
      expect(rule(next(response, done))).toBeUndefined();
    }
  });

  test(row("calls without ids get their own; only what came goes back"), async () => {
    const response = form.response(calls.map(withoutId), whole);
    const turn = api.read(response);
    const ids = turn.calls.map((call) => call.id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((one) => /^[a-z0-9]{9}$/.test(one))).toBe(true);
    const done = await handle(turn);
    if (!form.hasIds) expect(rule(next(response, done))).toBeUndefined();
    expect(done.statuses).toEqual(["executed", "rejected"]);
  });

  test(row("a call that was cut before its first character does not run"), async () => {
    for (const reason of [cut, other]) {
      const sent = [{ id: id(0), name: "wipe", text: "" }];
      const { ran } = await handle(api.read(form.response(sent, reason)));
      expect([reason, ran]).toEqual([reason, []]);
      const { ran: ranOfStream } = await handle(api.read(undefined, streamed(sent, reason)));
      expect([reason, ranOfStream]).toEqual([reason, []]);
    }
  });

  test(row("a call without arguments runs if the output is whole"), async () => {
    const sent = [{ id: id(0), name: "wipe", text: "" }];
    expect((await handle(api.read(form.response(sent, whole)))).ran).toEqual([{}]);
    expect((await handle(api.read(undefined, streamed(sent, whole)))).ran).toEqual([{}]);
  });

  test.runIf(holds("half a call of a stream does not run, whatever the SDK made of it", name))(
    row("half a call of a stream does not run, whatever the SDK made of it"),
    async () => {
      for (const text of ['{"city": "O', "{"]) {
        for (const reason of [whole, cut]) {
          const sent = [{ id: id(0), name: "wipe", text }, weather(1, '{"city":"Oslo"}')];
          const response = form.response(sent, reason);
          const { ran, statuses } = await handle(api.read(response, streamed(sent, reason)));
          expect(ran).toEqual([{ city: "Oslo" }]);
          expect(statuses).toEqual(["rejected", "executed"]);
        }
      }
    },
  );

  test.runIf(holds("arguments encoded twice, and two objects in one text, are read", name))(
    row("arguments encoded twice, and two objects in one text, are read"),
    async () => {
      for (const text of ['"{\\"city\\":\\"Oslo\\"}"', '{"city":"Oslo"}', '{}{"city":"Oslo"}']) {
        const { ran } = await handle(api.read(form.response([weather(0, text)], whole)));
        expect([text, ran]).toEqual([text, [{ city: "Oslo" }]]);
      }
    },
  );

  test.runIf(
    holds("arguments that a gateway sends as an object, as null or not at all are read", name),
  )(
    row("arguments that a gateway sends as an object, as null or not at all are read"),
    async () => {
      for (const [given, ran] of [
        [{ city: "Oslo" }, { city: "Oslo" }],
        [null, {}],
        [undefined, {}],
      ]) {
        const response = form.response([{ id: id(0), name: "wipe", text: "{}" }], whole);
        const bent = JSON.parse(JSON.stringify(response), (key, value: unknown) =>
          key === "arguments" ? given : value,
        ) as unknown;
        expect([given, (await handle(api.read(bent))).ran]).toEqual([given, [ran]]);
      }
    },
  );

  test(row("one id three times: each is answered"), async () => {
    const sent = ["a", "b", "c"].map((city) => weather(0, JSON.stringify({ city })));
    const response = form.response(sent, whole);
    const done = await handle(api.read(response));
    expect(done.ran).toHaveLength(3);
    expect(rule(next(response, done))).toBeUndefined();
  });

  test(row("a message without calls has none, and nothing is written"), () => {
    expect(api.read(form.response([], whole)).calls).toEqual([]);
    expect(api.write([])).toEqual([]);
  });

  test(row("a missing reason is left out"), () => {
    const response = form.response(calls, whole);
    const bare = JSON.parse(
      JSON.stringify(response, (key, value: unknown) =>
        /reason$|Reason$|^status$/.test(key) ? undefined : value,
      ),
    ) as unknown;
    expect(api.read(bare)).not.toHaveProperty("finishReason");
  });
});

describe("what only some APIs have", () => {
  test(row("text that was cut after a call leaves the call whole"), async () => {
    const use = { type: "tool_use", id: "t1", name: "wipe", input: { city: "a" } };
    const content = [use, { type: "text", text: "And now I" }];
    const turn = anthropic.read({ id: "m", content, stop_reason: "max_tokens" });
    expect((await handle(turn)).ran).toEqual([{ city: "a" }]);
    const part = { functionCall: { name: "wipe", args: { city: "a" } } };
    const parts = { content: { parts: [part, { text: "And" }] }, finishReason: "MAX_TOKENS" };
    expect((await handle(gemini.read({ candidates: [parts] }))).ran).toEqual([{ city: "a" }]);
  });

  test(
    row("calls of one program are one attempt, and their outputs carry the caller"),
    async () => {
      const caller = { type: "code_execution_20250825", tool_id: "srvtoolu_1" };
      const use = { type: "tool_use", id: "t1", name: "wipe", input: {}, caller };
      expect(anthropic.read({ id: "msg_1", content: [use] }).turnId).toBe("srvtoolu_1");
      const direct = { ...use, caller: { type: "direct" } };
      expect(anthropic.read({ id: "msg_1", content: [use, direct] }).turnId).toBe("msg_1");

      const ids = ["msg_1", "msg_2"].map((message) => {
        const { turnId, calls } = anthropic.read({
          id: message,
          content: [{ ...use, id: undefined }],
        });
        expect(turnId).toBe("srvtoolu_1");
        return calls[0]?.id;
      });
      expect(new Set(ids).size).toBe(2);

      const call = {
        type: "function_call",
        call_id: "c1",
        name: "wipe",
        arguments: "{}",
        caller: { type: "program", caller_id: "p1" },
      };
      const turn = responses.read({ id: "resp_1", status: "completed", output: [call] });
      expect(turn.turnId).toBe("p1");
      const { handled } = await handle(turn);
      expect(responses.write(handled)).toEqual([
        { type: "function_call_output", call_id: "c1", output: "done", caller: call.caller },
      ]);
    },
  );

  test(row("a custom call is free text, and its answer is of its kind"), async () => {
    const call = { type: "custom_tool_call", call_id: "c1", name: "shell", input: "ls -la" };
    const turn = responses.read({ id: "r", status: "completed", output: [call] });
    expect(turn.calls).toMatchObject([{ id: "c1", name: "shell", text: "ls -la" }]);
    const { ran, handled } = await handle(turn);
    expect(ran).toEqual(["ls -la"]);
    expect(responses.write(handled)).toEqual([
      { type: "custom_tool_call_output", call_id: "c1", output: "done" },
    ]);
    const custom = { id: "c1", type: "custom", custom: { name: "shell", input: "ls" } };
    const chat = openai.read({
      choices: [{ finish_reason: "tool_calls", message: { tool_calls: [custom] } }],
    });
    expect((await handle(chat)).ran).toEqual(["ls"]);
  });

  test(row("a custom call of a stream is free text"), async () => {
    const texts = responses.texts();
    const item = { type: "custom_tool_call", call_id: "c1", name: "shell", input: "" };
    texts.add({ type: "response.created", response: { id: "r" } });
    texts.add({ type: "response.output_item.added", output_index: 0, item });
    for (const delta of ["ls ", "-la"]) {
      texts.add({ type: "response.custom_tool_call_input.delta", output_index: 0, delta });
    }
    const half = responses.read(undefined, texts);
    expect((await handle(half)).ran).toEqual([]);
    texts.add({ type: "response.completed", response: { status: "completed", output: [] } });
    expect((await handle(responses.read(undefined, texts))).ran).toEqual(["ls -la"]);
  });

  test(row("a tool is known by its namespace and name"), () => {
    const call = { type: "function_call", call_id: "c1", name: "wipe", namespace: "crm" };
    const { calls } = responses.read({ output: [call] });
    expect(calls[0]?.name).toBe("crm.wipe");
  });

  test(row("an empty id goes back as it came"), async () => {
    const call = { id: "", function: { name: "wipe", arguments: '{"city":"a"}' } };
    const turn = openai.read({ choices: [{ message: { tool_calls: [call, call] } }] });
    const { handled, ran } = await handle(turn);
    expect(ran).toHaveLength(2);
    expect(openai.write(handled).map((answer) => answer.tool_call_id)).toEqual(["", ""]);
  });

  test(row("the wire's own JSON is answered in its own words"), async () => {
    const call = { id: "abcdefgh1", function: { name: "wipe", arguments: "{}" } };
    const raw = { message: { tool_calls: [call] }, finish_reason: "tool_calls" };
    const answers = [
      mistral.write((await handle(mistral.read({ choices: [raw] } as never))).handled),
      cohere.write((await handle(cohere.read(raw as never))).handled),
    ];
    expect(answers.flat().every((answer) => "tool_call_id" in answer)).toBe(true);
  });

  test(row("the word null for an id that did not come is not an id"), () => {
    const call = { id: "null", function: { name: "wipe", arguments: "{}" } };
    const turn = mistral.read({ choices: [{ message: { toolCalls: [call] } }] });
    expect(turn.calls[0]?.id).toMatch(/^[a-z0-9]{9}$/);
  });

  test(row("index 0 for all calls of a stream does not mix their texts"), async () => {
    const texts = openai.texts();
    const chunk = (call: object): object => ({ choices: [{ delta: { tool_calls: [call] } }] });
    for (const city of ["a", "b"]) {
      const inner = { name: "wipe", arguments: JSON.stringify({ city }) };
      texts.add(chunk({ index: 0, id: `call_${city}`, function: inner }));
    }
    const { ran } = await handle(openai.read(undefined, texts));
    expect(ran).toEqual([{ city: "a" }, { city: "b" }]);
  });

  test(row("a call whose arguments come in parts does not run"), async () => {
    const part = { functionCall: { name: "wipe", willContinue: true } };
    const candidate = { content: { parts: [part] }, finishReason: "STOP" };
    expect((await handle(gemini.read({ candidates: [candidate] }))).ran).toEqual([]);
  });

  test(row("a cancelled response says so"), () => {
    const response = {
      id: "resp_1",
      status: "cancelled",
      status_details: { type: "cancelled", reason: "turn_detected" },
      output: [{ type: "function_call", call_id: "c1", name: "wipe", arguments: "" }],
    };
    expect(realtime.read({ type: "response.done", response }).finishReason).toBe("turn_detected");
  });

  const pictured = async (): Promise<readonly HandledInTurn[]> => {
    const image = { type: "image", data: "AAAA", mimeType: "image/png" };
    const output = { content: [{ type: "text", text: "a chart" }, image] };
    const contract = createContract({ logger: false });
    return contract.handleTurn([{ id: "c1", name: "draw", arguments: {} }], {
      tools: [{ name: "draw", inputSchema: {} }],
      conversationId: "thread-7",
      execute: () => output,
    });
  };

  test(row("a picture is a part"), async () => {
    for (const name of WIRE_ROWS["a picture is a part"]) {
      const text = JSON.stringify(wire[name].write(await pictured()));
      expect([name, text.includes("AAAA"), text.includes("left out")]).toEqual([name, true, false]);
    }
  });

  test(row("a picture is left out, and a line says so"), async () => {
    for (const name of WIRE_ROWS["a picture is left out, and a line says so"]) {
      const text = JSON.stringify(wire[name].write(await pictured()));
      const isSaid = text.includes("a chart\\n(1 image left out)");
      expect([name, text.includes("AAAA"), isSaid]).toEqual([name, false, true]);
    }
  });
});

test("every row of the table is here", () => {
  expect([...played].toSorted()).toEqual(Object.keys(WIRE_ROWS).toSorted());
});
