import { afterEach, describe, expect, test } from "vitest";
import {
  type WireReply,
  type WireScript,
  type WireServer,
  type WireTurn,
  serveWire,
} from "./index.ts";
import { WIRE_CLIENTS } from "./testing/clients.ts";

const CALL = { id: "call_1", name: "read_file", input: '{"path":"é😀.txt"}' };

const servers: WireServer[] = [];
async function serve(script: WireScript): Promise<WireServer> {
  const server = await serveWire(script);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.close()));
});

describe.each(WIRE_CLIENTS)("$name", ({ ask }) => {
  const replies: readonly (readonly [name: string, reply: WireReply, answer: object])[] = [
    ["text", { text: "Paris 😀" }, { text: "Paris 😀", inputs: [], reason: "stop" }],
    ["text in small deltas", { text: "Paris 😀", delta: 1 }, { text: "Paris 😀" }],
    [
      "calls",
      { calls: [CALL, { ...CALL, id: "call_2" }], delta: 3 },
      { inputs: [{ path: "é😀.txt" }, { path: "é😀.txt" }], reason: "tool-calls" },
    ],
    [
      "text and a call",
      { text: "Reading", calls: [CALL] },
      { text: "Reading", inputs: [{ path: "é😀.txt" }] },
    ],
    [
      "its length limit",
      { text: "Par", finishReason: "length" },
      { text: "Par", reason: "length" },
    ],
    [
      "usage",
      { text: "Paris", usage: { input: 1_000, output: 50, cached: 800 } },
      { tokens: [1_000, 50, 800] },
    ],
    ["reasoning before text", { reasoning: "hm", text: "Paris" }, { text: "Paris" }],
    ["a slow answer", { text: "Paris", wait: 20 }, { text: "Paris" }],
  ];

  test.each(replies)("reads %s", async (_, reply, answer) => {
    const server = await serve([reply]);
    expect(await ask(server)).toMatchObject(answer);
    expect(server.requests).toMatchObject([{ isAborted: false }]);
  });

  const errors: readonly (readonly [Exclude<WireReply, WireTurn | string>, number])[] = [
    [{ status: 401, message: "no such key" }, 401],
    [{ status: 500, message: "out of order" }, 500],
    [{ status: 429, message: "slow down", headers: { "retry-after": "7" } }, 429],
    [{ status: 429, message: "no budget", code: "insufficient_quota" }, 429],
  ];

  test.each(errors)("fails at %j", async (reply, status) => {
    const error = await errorOf(ask(await serve([reply])));
    expect(error["statusCode"] ?? error["status"]).toBe(status);
    expect(String(error["message"])).toContain(reply.message);
    expect(headerOf(error, "retry-after")).toBe(reply.headers?.["retry-after"]);
  });

  test("fails at a broken connection", async () => {
    const server = await serve([{ text: "Paris", delta: 1, cutAfter: 1 }]);
    await errorOf(ask(server));
    expect(server.requests).toMatchObject([{ isAborted: false }]);
  });

  test("gives up a request that is never answered", async () => {
    const controller = new AbortController();
    const server = await serve(() => {
      setImmediate(() => controller.abort());
      return "never";
    });
    await errorOf(ask(server, controller.signal));
    await expect.poll(() => server.requests[0]?.isAborted).toBe(true);
  });
});

describe("the server", () => {
  const post = async (url: string, body: object): Promise<Response> =>
    fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "x-run": "1" } });

  test("records what it was sent", async () => {
    const server = await serve([{ text: "one" }]);
    await (await post(`${server.openaiUrl}/chat/completions`, { model: "a" })).text();
    await (await post(`${server.anthropicUrl}/v1/messages`, { model: "b" })).text();
    expect(server.requests).toMatchObject([
      { api: "openai", body: { model: "a" }, headers: { "x-run": "1" } },
      { api: "anthropic", body: { model: "b" }, headers: { "x-run": "1" } },
    ]);
  });

  test("answers as the model that was asked, with an id of its own", async () => {
    const server = await serve([{ text: "one" }, { text: "two" }]);
    const ask = async (): Promise<unknown> =>
      (await post(`${server.anthropicUrl}/v1/messages`, { model: "a" })).json();
    expect([await ask(), await ask()]).toMatchObject([
      { id: "reply_0", model: "a" },
      { id: "reply_1", model: "a" },
    ]);
  });

  test("says that its script has ended", async () => {
    const server = await serve([]);
    const response = await post(`${server.openaiUrl}/chat/completions`, {});
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: "end of the script" } }],
    });
  });

  test("answers by request, for runs at the same time", async () => {
    const server = await serve(({ body }, index) => ({
      text: `${String(body["model"])} ${index >= 0}`,
    }));
    const models = ["a", "b", "c"];
    const answers = await Promise.all(
      models.map(async (model) => {
        const response = await post(`${server.openaiUrl}/chat/completions`, { model });
        return response.json();
      }),
    );
    expect(answers).toMatchObject(
      models.map((model) => ({ choices: [{ message: { content: `${model} true` } }] })),
    );
  });

  test.each([
    ["not asked for", {}, { text: "a" }, false],
    ["asked for", { stream_options: { include_usage: true } }, { text: "a" }, true],
    [
      "asked for and not there",
      { stream_options: { include_usage: true } },
      { text: "a", usage: "none" as const },
      false,
    ],
  ])("streams OpenAI's usage: %s", async (_, options, reply, hasUsage) => {
    const server = await serve([reply]);
    const response = await post(`${server.openaiUrl}/chat/completions`, {
      stream: true,
      ...options,
    });
    const text = await response.text();
    expect(text.includes('"usage"')).toBe(hasUsage);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  test("knows no other path", async () => {
    const server = await serve([]);
    expect((await post(`${server.openaiUrl}/embeddings`, {})).status).toBe(404);
    expect(server.requests).toEqual([]);
  });

  test("closes although a request is never answered", async () => {
    const server = await serveWire(["never"]);
    const failure = errorOf(post(`${server.openaiUrl}/chat/completions`, {}));
    await expect.poll(() => server.requests.length).toBe(1);
    await server.close();
    await failure;
  });
});

async function errorOf(asked: Promise<unknown>): Promise<Readonly<Record<string, unknown>>> {
  try {
    await asked;
  } catch (error) {
    return error as Readonly<Record<string, unknown>>;
  }
  throw new Error("it was answered");
}

/** A header where the clients keep it. */
function headerOf(error: Readonly<Record<string, unknown>>, name: string): unknown {
  const headers = error["responseHeaders"] ?? error["headers"];
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  return (headers as Readonly<Record<string, unknown>> | undefined)?.[name];
}
