import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { SessionEvent } from "@toolcontract/session";
import { xml, xmlFinal } from "@toolcontract/session/xml";
import type { ModelMessage, ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { describeModes, describeVersions } from "../testing/every-sdk.ts";
import { runSession } from "../testing/run-session.ts";
import type { ScriptedModel, ScriptedTurn as Reply } from "../testing/scripted-model.ts";
import type { Mode, Sdk } from "../testing/sdk.ts";
import type { AgentSessionOptions, SdkTarget, SessionResult } from "./index.ts";

type Params = LanguageModelV4CallOptions;
/** An answer, written with the nonce of its request. */
type Answer = (tags: Tags, params: Params) => Reply;

/** Writes the tags of one run. */
interface Tags {
  readonly call: (slot: string, tool: string, payload: string) => string;
  readonly report: (content: string) => string;
  readonly open: (slot: string, rest?: string) => string;
}

const TRANSPORTS = { native: "native", xml, "xml-final": xmlFinal } as const;
const QUESTION: ModelMessage = { role: "user", content: "What is in my notes?" };
const DONE: Answer = ({ report }) => ({ text: report("Two notes.") });

describeModes((sdk, mode) => {
  test("in xml, tools are called and the report is written in tags alone", async () => {
    const { result, requests, nonce } = await runXml(sdk, mode, "xml", [
      ({ call }) => ({
        text: `Let me look.\n${call("0001", "read", '{"path":"a"}')}\n${call("0002", "read", '{"path":"b"}')}\n`,
      }),
      ({ call }) => ({ text: call("0003", "read", '{"path":"c"}') }),
      DONE,
    ]);
    expect(result).toMatchObject({
      success: true,
      finalReport: { status: "success", format: "markdown", content: "Two notes." },
    });
    expect(requests.map(({ tools, toolChoice }) => ({ tools, toolChoice }))).toEqual(
      requests.map(() => ({ tools: undefined, toolChoice: { type: "auto" } })),
    );
    expect(requests.map(({ prompt }) => prompt.map(({ role }) => role))).toEqual([
      ["user", "user"],
      ["user", "assistant", "user", "user", "user"],
      ["user", "assistant", "user", "user", "assistant", "user", "user"],
    ]);
    const second = textsOf(requests[1]);
    expect(second[1]).toBe(
      [
        "Let me look.\n",
        `<ai-agent-${nonce}-0001 tool="read">{"path":"a"}</ai-agent-${nonce}-0001>`,
        `<ai-agent-${nonce}-0002 tool="read">{"path":"b"}</ai-agent-${nonce}-0002>`,
      ].join("\n"),
    );
    expect(second[2]).toMatch(
      new RegExp(
        `^System Notice: tool response for ${nonce}-0001 \\(read\\)\\nStatus: ok\\nDuration: \\d+ ms\\n<request>\\n\\{"path":"a"\\}\\n</request>\\n<response>\\nread a\\n</response>$`,
      ),
    );
    expect(slotsIn(requests[0])).toEqual(["0001", "0002", "0003", "0004", "FINAL"]);
    expect(slotsIn(requests[1])).toEqual(["0003", "0004", "0005", "0006", "FINAL"]);
    expect(second.at(-1)).toContain("- read: Reads a file.\n");
    expect(second.join("").split("Slots for tool calls")).toHaveLength(2);

    // Stored as if the calls had been native ones.
    expect(result.conversation.map(({ role }) => role).join(" ")).toBe(
      "user assistant tool assistant tool assistant tool",
    );
    expect(JSON.stringify(result.conversation)).not.toMatch(/<\/?ai-agent-|System Notice/);
    expect(result.conversation[1]).toMatchObject({
      content: [
        { type: "text", text: "Let me look.\n" },
        { type: "tool-call", toolCallId: `${nonce}-0001`, toolName: "read", input: { path: "a" } },
        { type: "tool-call", toolCallId: `${nonce}-0002` },
      ],
    });
    expect(entriesOf(result)).toEqual([
      "llm ok",
      "read ok xml",
      "read ok xml",
      "llm ok",
      "read ok xml",
      "llm ok",
      "agent__final_report_xml ok xml",
    ]);
  });

  test("in xml-final, only the report is written in a tag", async () => {
    const { result, requests } = await runXml(sdk, mode, "xml-final", [
      () => ({ calls: [{ id: "c1", name: "read", input: '{"path":"a"}' }] }),
      DONE,
    ]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "Two notes." } });
    expect(
      requests.map(({ tools, toolChoice }) => [tools?.map(({ name }) => name), toolChoice]),
    ).toEqual(requests.map(() => [["read", "slow"], { type: "auto" }]));
    expect(requests[1]?.prompt.map(({ role }) => role).join(" ")).toBe("user assistant tool user");
    expect(slotsIn(requests[1])).toEqual(["FINAL"]);
    expect(entriesOf(result)).toEqual([
      "llm ok",
      "read ok",
      "llm ok",
      "agent__final_report_xml ok xml",
    ]);
  });

  test("tags that count for nothing are not shown, stored, run or counted", async () => {
    const { result, events } = await runXml(
      sdk,
      mode,
      "xml",
      [
        ({ call, open }) => ({
          text: [
            "One.",
            call("0001", "read", '{"path":"a"}'),
            call("0001", "read", '{"path":"secret"}'),
            call("0002", "nope", "secret"),
            call("PROGRESS", "read", "secret"),
            call("7777", "read", "secret"),
            " Two.",
            `${open("0003", ' tool="read"')}{"path":"secret"}`,
          ].join(""),
        }),
        DONE,
      ],
      { maxToolCallsPerTurn: 1 },
    );
    expect(result.success).toBe(true);
    expect(entriesOf(result)).toEqual([
      "llm ok",
      "read ok xml",
      "llm ok",
      "agent__final_report_xml ok xml",
    ]);
    expect(JSON.stringify([result, events])).not.toContain("secret");
    expect(JSON.stringify(result.conversation[1])).toMatch(/One\..* Two\./);
  });

  test("limits and the contract hold as for native calls", async () => {
    const { result, requests, nonce } = await runXml(
      sdk,
      mode,
      "xml",
      [
        ({ call }) => ({
          text: [
            call("0001", "read", "{path: 'a',}"),
            call("0002", "slow", ""),
            call("0003", "read", '{"nothing":"password=hunter2"}'),
            call("0004", "read", '{"path":"d"}'),
          ].join("\n"),
        }),
        DONE,
      ],
      { maxToolCallsPerTurn: 3, toolTimeout: (name) => (name === "slow" ? 50 : undefined) },
    );
    expect(result.success).toBe(true);
    const shown = (slot: string): string => resultOf(requests[1], `${nonce}-${slot}`);
    expect(shown("0001")).toContain("read a");
    expect(shown("0002")).toContain("Status: failed");
    expect(shown("0002")).toContain("(tool failed: timeout)");
    expect(shown("0003")).toContain("Status: failed");
    expect(responseIn(shown("0003"))).toContain("/path");
    expect(responseIn(shown("0003"))).not.toContain("hunter2");
    expect(shown("0004")).toContain("(tool failed: too many tool calls in one turn; limit is 3)");
    expect(entriesOf(result)).toEqual([
      "llm ok",
      "read ok xml",
      "slow failed xml",
      "llm ok",
      "agent__final_report_xml ok xml",
    ]);
    expect(slotsIn(requests[1])).toEqual(["0005", "0006", "0007", "FINAL"]);
  });

  test("JSON that cannot be read is answered with the contract's message, and the sibling runs", async () => {
    const { result, requests, nonce } = await runXml(sdk, mode, "xml", [
      ({ call }) => ({
        text: call("0001", "read", "see my notes") + call("0002", "read", '{"path":"b"}'),
      }),
      DONE,
    ]);
    const unread = resultOf(requests[1], `${nonce}-0001`);
    expect(unread).toContain("Status: failed");
    expect(responseIn(unread)).toContain("VAL-");
    expect(resultOf(requests[1], `${nonce}-0002`)).toContain("read b");
    expect(entriesOf(result)).toContain("read ok xml");
  });

  test.each(["xml", "xml-final"] as const)(
    "a model that repeats the instructions of %s has not answered",
    async (transport) => {
      const { result } = await runXml(sdk, mode, transport, [
        (_, params) => ({ text: textsOf(params).at(-1) ?? "" }),
        DONE,
      ]);
      expect(entriesOf(result)).toEqual(["llm failed", "llm ok", "agent__final_report_xml ok xml"]);
      expect(result).toMatchObject({ success: true, finalReport: { content: "Two notes." } });
    },
  );

  test("a report that fails makes the next turn the last, and is shown with its reason", async () => {
    const { result, requests, nonce } = await runXml(
      sdk,
      mode,
      "xml",
      [
        ({ report, call }) => ({
          text: report('{"total":"two"}') + call("0001", "read", '{"path":"a"}'),
        }),
        ({ report }) => ({ text: report('{"total":2}') }),
      ],
      {
        expectedOutputFormat: "json",
        outputSchema: {
          type: "object",
          properties: { total: { type: "number" } },
          required: ["total"],
        },
      },
    );
    expect(result).toMatchObject({ success: true, finalReport: { content_json: { total: 2 } } });
    expect(entriesOf(result)).toEqual([
      "llm ok",
      ...entriesOf(result).slice(1, 3),
      "llm ok",
      "agent__final_report_xml ok xml",
    ]);
    expect(entriesOf(result).slice(1, 3).toSorted()).toEqual([
      "agent__final_report_xml failed xml",
      "read ok xml",
    ]);
    expect(textsOf(requests[1])).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^System Notice: tool response for ${nonce}-FINAL \\(agent__final_report\\)\\nStatus: failed`,
        ),
      ),
    );
    expect(slotsIn(requests[1])).toEqual(["FINAL"]);
    expect(textsOf(requests[1]).at(-1)).toContain("no tool can be called anymore");
  });

  test("the guard counts the instructions as schema and the rendered results as new", async () => {
    const { events, requests } = await runXml(
      sdk,
      mode,
      "xml",
      [({ call }) => ({ text: call("0001", "read", '{"path":"a"}') }), DONE],
      { estimateTokens: (text) => text.length, clock: () => 1, contextWindow: 100_000 },
    );
    const lengths = requests.map((request) => textsOf(request).map(({ length }) => length));
    expect(events.filter(({ type }) => type === "llm-request")).toMatchObject([
      { newTokens: lengths[0]?.[0], schemaTokens: lengths[0]?.at(-1) },
      { newTokens: lengths[1]?.[2], schemaTokens: lengths[1]?.at(-1), ctxTokens: 15 },
    ]);
  });

  test("in xml-final the guard counts the native tools and the instructions", async () => {
    const sizes: number[] = [];
    const { events, requests } = await runXml(sdk, mode, "xml-final", [DONE], {
      estimateTokens: (text) => {
        sizes.push(text.length);
        return text.length;
      },
      contextWindow: 100_000,
    });
    const instructions = textsOf(requests[0]).at(-1)?.length ?? 0;
    const [event] = events.filter(({ type }) => type === "llm-request");
    const { schemaTokens } = event as { readonly schemaTokens: number };
    expect(schemaTokens - instructions).toBeGreaterThan(100);
    expect(schemaTokens - instructions).toBeLessThan(
      JSON.stringify(requests[0]?.tools).length + instructions,
    );
  });

  test("a run that does not fit is forced into its last turn, with the tools withheld", async () => {
    const { result, requests, events } = await runXml(
      sdk,
      mode,
      "xml",
      [({ call }) => ({ text: call("0001", "read", `{"path":"${"x".repeat(3_000)}"}`) }), DONE],
      { estimateTokens: (text) => text.length, contextWindow: 4_000, contextWindowBufferTokens: 0 },
    );
    expect(result.success).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "context-exceeded", guard: "tool_preflight" }),
    );
    expect(textsOf(requests[1]).join("\n")).toContain(
      "(tool failed: context window budget exceeded)",
    );
    expect(slotsIn(requests[1])).toEqual(["FINAL"]);
  });

  test("a history of one transport goes on in every other", async () => {
    const first = await runXml(sdk, mode, "xml", [
      ({ call }) => ({ text: call("0001", "read", '{"path":"a"}') }),
      DONE,
    ]);
    const messages = [...first.result.conversation, QUESTION];
    const native = await runXml(
      sdk,
      mode,
      "native",
      [
        () => ({ calls: [{ id: "c1", name: "read", input: '{"path":"b"}' }] }),
        () => ({ text: "Two." }),
      ],
      {},
      messages,
    );
    expect(native.result).toMatchObject({ success: true, finalReport: { content: "Two." } });
    expect(JSON.stringify(native.requests)).not.toMatch(/<\/?ai-agent-|System Notice/);
    expect(native.requests[0]?.prompt.map(({ role }) => role).join(" ")).toBe(
      "user assistant tool assistant tool user",
    );

    const again = await runXml(sdk, mode, "xml", [DONE], {}, [
      ...native.result.conversation,
      QUESTION,
    ]);
    expect(again.result.success).toBe(true);
    expect(again.requests[0]?.prompt.some(({ role }) => role === "tool")).toBe(false);
    const shown = textsOf(again.requests[0]);
    expect(shown).toContain('[earlier call of read: {"path":"a"}]');
    expect(shown).toContain("Two notes.");
    expect(shown.join("\n")).toContain("tool response for an earlier call (read)");
    expect(slotsIn(again.requests[0])).toEqual(["0001", "0002", "0003", "0004", "FINAL"]);
  });

  test("a native call of the report tool that was not offered is a report too", async () => {
    const { result } = await runXml(sdk, mode, "xml-final", [
      () => ({
        calls: [{ id: "r1", name: "agent__final_report", input: '{"content":"Two notes."}' }],
      }),
    ]);
    expect(result).toMatchObject({ success: true, finalReport: { content: "Two notes." } });
    expect(entriesOf(result)).toEqual(["llm ok", "agent__final_report ok"]);
  });

  test("a native call that was cut is asked for again, although a report stands beside it", async () => {
    const { result } = await runXml(sdk, mode, "xml-final", [
      ({ report }) => ({
        text: report("One note."),
        calls: [{ id: "c1", name: "read", input: '{"path":"' }],
        finishReason: "length",
      }),
      DONE,
    ]);
    expect(entriesOf(result)[0]).toBe("llm failed");
    expect(entriesOf(result)).not.toContain("read ok");
    expect(result.finalReport).toMatchObject({ content: "Two notes." });
  });

  test("what a user chose for native tools is not a choice in XML", async () => {
    const { requests } = await runXml(sdk, mode, "xml-final", [DONE], {
      call: { toolChoice: "required" },
    });
    expect(requests[0]?.toolChoice).toEqual({ type: "auto" });
  });
});

describeVersions((sdk) => {
  test("two runs of one session have slots and nonces of their own", async () => {
    const a = scripted(sdk, [
      ({ call }) => ({ text: call("0001", "read", '{"path":"a"}') }),
      ({ call }) => ({ text: call("0001", "read", '{"path":"a"}') }),
      DONE,
      DONE,
    ]);
    const session = sdk.session.agentSession({
      targets: [{ model: a.model }],
      tools: toolsOf(sdk),
      transport: xml,
    });
    const run = async (): Promise<SessionResult<unknown>> =>
      session.run(async (options) => sdk.ai.generateText({ ...options, messages: [QUESTION] }));
    const results = await Promise.all([run(), run()]);
    expect(results.map(entriesOf)).toEqual(
      results.map(() => ["llm ok", "read ok xml", "llm ok", "agent__final_report_xml ok xml"]),
    );
    expect(new Set(a.requests.map(nonceIn)).size).toBe(2);
  });

  test("a provider's own tool stays native", async () => {
    const { requests } = await runXml(sdk, "generateText", "xml", [DONE], {
      tools: {
        search: {
          type: sdk.version === 7 ? "provider" : "provider-defined",
          ...(sdk.version === 6 && { type: "provider" }),
          id: "scripted.search",
          name: "search",
          args: {},
          isProviderExecuted: true,
          supportsDeferredResults: false,
          inputSchema: sdk.ai.jsonSchema({}),
        } as unknown as ToolSet[string],
      },
    });
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(["search"]);
    expect(textsOf(requests[0]).at(-1)).not.toContain("search");
  });

  test("an end that the SDK has no word for is read as the provider says it", async () => {
    const { result } = await runXml(sdk, "generateText", "xml", [
      ({ open }) => ({
        text: `${open("FINAL", REPORT)}Two`,
        finishReason: "other",
        rawReason: "max_tokens",
      }),
      DONE,
    ]);
    // Version 5 passes on nothing but its own word.
    expect(entriesOf(result)[0]).toBe(sdk.version === 5 ? "llm ok" : "llm failed");
  });
});

describe("a stream that breaks after a call", () => {
  describeVersions(
    (sdk) => {
      test("goes on with slots that no call has taken", async () => {
        const { result, requests } = await runXml(sdk, "streamText", "xml", [
          ({ call }) => ({ text: call("0001", "read", '{"path":"a"}'), breaks: "error" }),
          ({ call }) => ({
            text: call("0001", "read", "{}") + call("0002", "read", '{"path":"b"}'),
          }),
          DONE,
        ]);
        expect(result).toMatchObject({ success: true, finalReport: { content: "Two notes." } });
        expect(slotsIn(requests[1])).toEqual(["0002", "0003", "0004", "0005", "FINAL"]);
        expect(JSON.stringify(result.conversation).split("read b")).toHaveLength(2);
      });
    },
    {
      6: "only version 7 asks again for a step whose stream broke",
      5: "only version 7 asks again for a step whose stream broke",
    },
  );
});

const REPORT = ' tool="agent__final_report" format="markdown"';

function tagsOf(params: Params): Tags {
  const nonce = nonceIn(params);
  const open = (slot: string, rest = ""): string => `<ai-agent-${nonce}-${slot}${rest}>`;
  const wrap = (slot: string, rest: string, payload: string): string =>
    `${open(slot, rest)}${payload}</ai-agent-${nonce}-${slot}>`;
  return {
    open,
    call: (slot, name, payload) => wrap(slot, ` tool="${name}"`, payload),
    report: (content) => wrap("FINAL", REPORT, `\n${content}\n`),
  };
}

function nonceIn(params: Params): string {
  const [, nonce = ""] = /<ai-agent-([0-9a-f]{8})-/.exec(textsOf(params).at(-1) ?? "") ?? [];
  return nonce;
}

/** The slots that the instructions show. */
function slotsIn(params: Params | undefined): readonly string[] {
  const found = (textsOf(params).at(-1) ?? "").matchAll(/<ai-agent-[0-9a-f]{8}-(\w+) /g);
  return Array.from(found, ([, slot = ""]) => slot);
}

/** The text of each message of a request. */
function textsOf(params: Params | undefined): readonly string[] {
  return (params?.prompt ?? []).map(({ content }) =>
    typeof content === "string"
      ? content
      : content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
}

/** The message that shows the result of a call. */
function resultOf(params: Params | undefined, slot: string): string {
  return (
    textsOf(params).find((text) => text.startsWith(`System Notice: tool response for ${slot} `)) ??
    ""
  );
}

function responseIn(text = ""): string {
  return text.slice(text.indexOf("<response>"));
}

function entriesOf({ accounting }: SessionResult<unknown>): readonly string[] {
  return accounting.map((entry) =>
    entry.type === "llm"
      ? `llm ${entry.status}`
      : [entry.command, entry.status, ...(entry.source ? [entry.source] : [])].join(" "),
  );
}

function toolsOf(sdk: Sdk): ToolSet {
  return {
    read: sdk.ai.tool({
      description: "Reads a file.",
      inputSchema: z.object({ path: z.string() }),
      execute: ({ path }) => `read ${path}`,
    }),
    slow: sdk.ai.tool({
      description: "Never ends.",
      inputSchema: z.object({}),
      execute: async () => new Promise<string>(() => undefined),
    }),
  };
}

function scripted(sdk: Sdk, answers: readonly Answer[]): ScriptedModel {
  return sdk.script((index, params) => {
    const answer = answers[index] ?? (() => ({ text: "end of the script" }));
    // Tags are to be found however they are cut.
    return { chunk: 1 + (index % 7), ...answer(tagsOf(params), params) };
  });
}

interface Settings
  extends
    Partial<Omit<AgentSessionOptions<ToolSet>, "targets">>,
    Pick<SdkTarget, "contextWindow" | "contextWindowBufferTokens"> {
  /** Those of the SDK's function or agent. */
  readonly call?: object;
}

async function runXml(
  sdk: Sdk,
  mode: Mode,
  transport: "native" | "xml" | "xml-final",
  answers: readonly Answer[],
  { call = {}, contextWindow, contextWindowBufferTokens, ...options }: Settings = {},
  messages: readonly ModelMessage[] = [QUESTION],
): Promise<{
  readonly result: SessionResult<unknown>;
  readonly requests: readonly Params[];
  readonly events: readonly SessionEvent[];
  readonly nonce: string;
}> {
  const { model, requests } = scripted(sdk, answers);
  const events: SessionEvent[] = [];
  const session = sdk.session.agentSession({
    targets: [
      {
        model,
        ...(contextWindow !== undefined && { contextWindow }),
        ...(contextWindowBufferTokens !== undefined && { contextWindowBufferTokens }),
      },
    ],
    tools: toolsOf(sdk),
    transport: TRANSPORTS[transport],
    onEvent: (event: SessionEvent) => events.push(event),
    logger: () => undefined,
    ...options,
  } as unknown as AgentSessionOptions<ToolSet>);
  // By default the SDK prints errors of streams.
  const settings = { ...call, messages: [...messages], onError: () => undefined };
  const result = await runSession(sdk, mode, session, settings);
  const [first] = requests;
  return { result, requests, events, nonce: first ? nonceIn(first) : "" };
}
