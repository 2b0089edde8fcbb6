import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Api, Scenario, ScenarioTurn } from "../shared/index.ts";
import { FORMATS } from "../wire/index.ts";
import { type KitRun, startRun } from "./kit-run.ts";
import { formatsOf, type KitServer, startKitServer } from "./kit-server.ts";

let server: KitServer;
beforeAll(async () => {
  server = await startKitServer();
});
afterAll(async () => server.close());

const READ: ScenarioTurn = {
  text: "I read.",
  calls: [{ tool: "read", arguments: '{"path":"a"}', expect: "runs" }],
};

interface Place extends ReturnType<KitServer["add"]> {
  readonly run: KitRun;
  /** Sends a request for a reply, or what is given in its place. */
  readonly ask: (body?: string, path?: string) => Promise<Response>;
}

function play(turns: readonly ScenarioTurn[] = [READ], api: Api = "openai-chat"): Place {
  const scenario: Scenario = { id: "one", title: "", prompt: "Hi", tools: [], turns };
  const run = startRun(scenario);
  const place = server.add(run, FORMATS[api]);
  return {
    ...place,
    run,
    ask: async (body = '{"messages":[]}', path = "/chat/completions") =>
      fetch(`${place.baseUrl}${path}`, { method: "POST", body }),
  };
}

describe("the kit's model", () => {
  test("answers each request with the next message, and then that it is done", async () => {
    const { ask, run } = play();
    const said: unknown[] = [];
    for (let request = 0; request < 3; request += 1) {
      const { choices } = (await (await ask()).json()) as { choices: { message: unknown }[] };
      said.push(choices[0]?.message);
      expect(run.done.aborted).toBe(request > 0);
    }
    const done = { role: "assistant", content: "That is all." };
    expect(said).toMatchObject([
      {
        content: "I read.",
        tool_calls: [{ function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      done,
      done,
    ]);
    expect(run.transcript({ kind: "ended" }).requests).toHaveLength(3);
  });

  test("says words where it may not call, and has nothing more to say", async () => {
    const { ask, run } = play([{ ...READ, times: 9, whileOffered: true }]);
    const offering = '{"messages":[],"tools":[{}]}';
    const said: unknown[] = [];
    for (const body of [offering, offering, '{"messages":[]}', offering]) {
      const { choices } = (await (await ask(body)).json()) as {
        choices: { message: { content: unknown } }[];
      };
      said.push(choices[0]?.message.content);
    }
    expect(said).toEqual(["I read.", "I read.", "That is all.", "That is all."]);
    expect(run.done.aborted).toBe(true);
    expect(run.transcript({ kind: "ended" }).script).toHaveLength(2);
  });

  test("streams if it is asked to, in small parts", async () => {
    const { ask, run } = play();
    const response = await ask('{"messages":[],"stream":true}');
    const body = await response.text();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(body.match(/^data: /gm)?.length).toBeGreaterThan(4);
    expect(run.transcript({ kind: "ended" }).requests).toMatchObject([{ isStream: true }]);
  });

  test("ends after five requests too many", async () => {
    const { ask, run } = play();
    const statuses: number[] = [];
    for (let request = 0; request < 8; request += 1) {
      expect(run.overrun.aborted).toBe(false);
      const response = await ask();
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 7 }, () => 200), 400]);
    expect(run.overrun.aborted).toBe(true);
  });

  test.each([
    ["in a stream, after a part of the call", '{"messages":[],"stream":true}'],
    ["without a stream, before anything", '{"messages":[]}'],
  ])("breaks the connection: %s", async (_, body) => {
    const { ask } = play([{ ...READ, drops: true }]);
    const read = async (): Promise<string> => (await ask(body)).text();
    await expect(read()).rejects.toThrow();
  });

  test.each<[name: string, api: Api, body: string, path: string, status: number, said: object]>([
    ["lists itself", "openai-chat", "", "/models", 200, { data: [{ id: "scripted" }] }],
    [
      "refuses what is not JSON",
      "openai-chat",
      "{",
      "/chat/completions",
      400,
      { error: { message: "Not JSON." } },
    ],
    [
      "refuses what is not an object",
      "anthropic",
      "7",
      "/messages",
      400,
      { error: { message: "Not JSON." } },
    ],
    ["refuses null", "anthropic", "null", "/messages", 400, { error: { message: "Not JSON." } }],
    [
      "does not play other paths",
      "openai-chat",
      "{}",
      "/responses",
      404,
      { error: { message: "The kit does not play /v1/responses." } },
    ],
  ])("%s", async (_, api, body, path, status, said) => {
    const { ask, run } = play([READ], api);
    const response = await ask(body, path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(said);
    expect([...run.strays]).toEqual(status === 404 ? ["/v1/responses"] : []);
  });

  test("is gone when its run is over, and others are not", async () => {
    const over = play();
    const other = play();
    over.remove();
    const response = await over.ask();
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: "This run is over." });
    expect((await other.ask()).status).toBe(200);
  });
});

describe("what a program reports", () => {
  test.each<[body: string, name: string, input: unknown]>([
    ['{"name":"read","arguments":{"path":"a"}}', "read", { path: "a" }],
    ['{"name":"read"}', "read", undefined],
    ['{"name":7,"arguments":1}', "7", 1],
    ['{"path":"a"}', "", { path: "a" }],
    ["[1]", "", [1]],
    ["null", "", null],
    ["{", "", "{"],
  ])("%s", async (body, name, input) => {
    const { ask, run, ranUrl, approveUrl } = play();
    await (await ask()).text();
    const send = async (url: string): Promise<unknown> =>
      (await fetch(url, { method: "POST", body })).json();
    const result = await send(ranUrl);
    expect(await send(approveUrl)).toEqual({ approved: true });
    const { runs, approvals } = run.transcript({ kind: "ended" });
    const report = { turn: 1, name, arguments: input, body };
    const receipt = runs[0]?.receipt ?? "";
    expect(receipt).toMatch(/^\w{10}$/);
    expect(runs).toEqual([{ ...report, receipt }]);
    expect(approvals).toEqual([report]);
    expect(result).toEqual({ done: name, receipt });
  });
});

test.each<[paths: readonly string[], formats: readonly string[]]>([
  [["/v1/messages"], ["anthropic"]],
  [["/v1/files", "/v1/responses"], ["openai-responses"]],
  [["/v1/files"], []],
])("the formats that play %j: %j", (paths, formats) => {
  expect(formatsOf(paths)).toEqual(formats);
});
