import { type CallToolResult, Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { describe, expect, test, vi } from "vitest";
import { mcpTool, outputOf } from "./mcp-tool.ts";
import type { Server as OpenServer } from "./open-server.ts";
import { call } from "./testing/programs.ts";

const text = (value: string) => ({ type: "text" as const, text: value });
const IMAGE = { type: "image" as const, data: "aGk=", mimeType: "image/png" };

test.each<[string, CallToolResult, object]>([
  ["one text", { content: [text("a")] }, { type: "text", value: "a" }],
  ["texts", { content: [text("a"), text("b")] }, { type: "text", value: "a\nb" }],
  ["nothing", { content: [] }, { type: "text", value: "" }],
  [
    "an image between texts",
    { content: [text("a"), IMAGE, text("b")] },
    {
      type: "content",
      value: [
        { type: "text", text: "a" },
        { type: "file", data: { type: "data", data: "aGk=" }, mediaType: "image/png" },
        { type: "text", text: "b" },
      ],
    },
  ],
  [
    "what is neither text nor an image",
    {
      content: [
        { type: "audio", data: "aGk=", mimeType: "audio/wav" },
        { type: "resource", resource: { uri: "file:///a.txt", text: "the file" } },
        {
          type: "resource",
          resource: { uri: "file:///a.zip", blob: "aGk=", mimeType: "application/zip" },
        },
        { type: "resource", resource: { uri: "file:///b", blob: "aGk=" } },
        { type: "resource_link", name: "notes", title: "My notes", uri: "file:///notes" },
        { type: "resource_link", name: "notes", uri: "file:///notes" },
      ],
    },
    {
      type: "text",
      value: [
        "(audio, audio/wav: not shown)",
        "the file",
        "(file:///a.zip, application/zip: not shown)",
        "(file:///b: not shown)",
        "[My notes](file:///notes)",
        "[notes](file:///notes)",
      ].join("\n"),
    },
  ],
  [
    "structured content alone",
    { content: [], structuredContent: { sum: 3 } },
    { type: "text", value: '{"sum":3}' },
  ],
  [
    "structured content beside the same as text",
    { content: [text("3")], structuredContent: { sum: 3 } },
    { type: "text", value: "3" },
  ],
  [
    "a failure",
    { content: [text("no such file"), IMAGE, text("try ls")], isError: true },
    { type: "error-text", value: "no such file\ntry ls" },
  ],
  [
    "a failure without a reason",
    { content: [], isError: true },
    { type: "error-text", value: "The tool failed and gave no reason" },
  ],
  [
    "a failure with structured content alone",
    { content: [], structuredContent: { code: 4 }, isError: true },
    { type: "error-text", value: '{"code":4}' },
  ],
])("a model reads %s", (_, result, expected) => {
  expect(outputOf(result)).toEqual(expected);
});

const TOOL = { name: "wait", description: "Waits", inputSchema: { type: "object" as const } };

describe("a tool of a server", () => {
  async function connected(
    onCall: (signal: AbortSignal) => Promise<CallToolResult>,
  ): Promise<OpenServer> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new Server({ name: "s", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/call", async (_, { mcpReq }) => onCall(mcpReq.signal));
    const client = new Client({ name: "c", version: "1" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const revive = async (): Promise<void> => undefined;
    return { name: "slow", client, child: undefined, revive } as unknown as OpenServer;
  }

  test("keeps its description and its schema", async () => {
    const { description, inputSchema } = mcpTool(
      TOOL,
      await connected(async () => ({ content: [] })),
    );
    expect(description).toBe("Waits");
    expect(inputSchema).toMatchObject({ jsonSchema: { type: "object" } });
  });

  test("is cancelled at the server when its call is aborted", async () => {
    const aborted = vi.fn<() => void>();
    const begun = vi.fn<() => void>();
    const server = await connected(async (signal) => {
      begun();
      return new Promise(() => {
        signal.addEventListener("abort", aborted);
      });
    });
    const ending = new AbortController();
    const calling = call({ tools: { wait: mcpTool(TOOL, server) } }, "wait", {}, ending.signal);
    await vi.waitFor(() => expect(begun).toHaveBeenCalledOnce());
    ending.abort(new Error("over its time"));
    await expect(calling).rejects.toThrow("over its time");
    await vi.waitFor(() => expect(aborted).toHaveBeenCalledOnce());
  });

  test("has no limit of the SDK's own", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let answer: ((result: CallToolResult) => void) | undefined;
    const server = await connected(
      async () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const calling = call({ tools: { wait: mcpTool(TOOL, server) } }, "wait");
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    answer?.({ content: [text("done")] });
    expect(await calling).toMatchObject({ content: [text("done")] });
    vi.useRealTimers();
  });
});
