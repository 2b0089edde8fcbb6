import { expect, test } from "vitest";
import { expectAccounting, resultOf, toolTexts } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";
const DOWN = { status: 500, message: "down" };

test.concurrent("OpenAI, Anthropic and a compatible endpoint are asked in turn, each with its settings", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([
    // Turn 1: the first one answers.
    calls(["echo", { text: "1" }]),
    // Turn 2: the second one does, turn 3: the third.
    DOWN,
    calls(["echo", { text: "2" }]),
    DOWN,
    DOWN,
    report("Done"),
  ]);
  world.write(FILE, {
    session: { temperature: 0.1, top_p: 0.3, max_output_tokens: 500 },
    providers: {
      pa: { type: "openai", base_url: model.openaiUrl, api_key: "key-a", temperature: 0.2 },
      pb: { type: "anthropic", base_url: `${model.anthropicUrl}/v1`, api_key: "key-b" },
      pc: { type: "openai-compatible", base_url: model.openaiUrl, api_key: "key-c" },
    },
    targets: [
      { provider: "pa", model: "a" },
      { provider: "pb", model: "b", max_output_tokens: 400 },
      { provider: "pc", model: "c", temperature: 0.4, repeat_penalty: 1.1 },
    ],
    mcp_servers: { a: world.servers.config({ name: "a", tools: ["echo"] }) },
  });
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  const result = resultOf(ended);
  expect(toolTexts(result)).toEqual(["a: 1", "a: 2", "ok"]);
  expectAccounting(
    result,
    "pa ok",
    "echo ok",
    "pa failed: down",
    "pb ok",
    "echo ok",
    "pa failed: down",
    "pb failed: down",
    "pc ok",
    "agent__final_report ok",
  );
  const openai = { api: "openai", key: "Bearer key-a", model: "a", temperature: 0.2, tokens: 500 };
  const anthropic = { api: "anthropic", key: "key-b", model: "b", temperature: 0.1, tokens: 400 };
  const other = { ...openai, key: "Bearer key-c", model: "c", temperature: 0.4 };
  expect(
    model.requests.map(({ api, headers, body }) => ({
      api,
      key: headers.authorization ?? headers["x-api-key"],
      model: body["model"],
      temperature: body["temperature"],
      tokens: body["max_tokens"],
    })),
  ).toEqual([openai, openai, anthropic, openai, anthropic, other]);
  expect(model.requests.map(({ body }) => body["repeat_penalty"])).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    1.1,
  ]);
  const [streamed] = model.requests.slice(-1);
  expect(streamed?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
});

test.concurrent("a provider that limits is left alone, and the next target is asked at once", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([
    { status: 429, message: "slow down", headers: { "retry-after": "1" } },
    report("Done"),
  ]);
  world.write(
    FILE,
    oneTarget(model, {
      targets: [
        { provider: "pa", model: "m" },
        { provider: "pa", model: "n" },
      ],
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended).toMatchObject({
    exitCode: 0,
    stderr: "toolcontract-agent: m: 429 slow down; trying n (2 of 3)\n",
  });
  expectAccounting(resultOf(ended), "pa failed: slow down", "pa ok", "agent__final_report ok");
  expect(model.requests.map(({ body }) => body["model"])).toEqual(["m", "n"]);
});

test.concurrent("a result that overflows the context is dropped, and the next turn is the last", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([
    calls(["repeat", { text: "many words ", times: 2_000 }]),
    report("What I know"),
  ]);
  world.write(
    FILE,
    oneTarget(model, {
      targets: [
        { provider: "pa", model: "m", context_window: 4_000, context_window_buffer_tokens: 100 },
      ],
      mcp_servers: { a: world.servers.config({ name: "a", tools: ["repeat"] }) },
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  expect(ended.stderr).toMatch(
    /^toolcontract-agent: the context window is full \(\d+ of 3900 tokens\), so the result of repeat was dropped; the next turn is the last\n$/,
  );
  const result = resultOf(ended);
  const stub = "context window budget exceeded";
  expect(toolTexts(result)).toEqual([`(tool failed: ${stub})`, "ok"]);
  expectAccounting(result, "pa ok", `repeat failed: ${stub}`, "pa ok", "agent__final_report ok");
  const tools = model.requests.map(({ body }) =>
    (body["tools"] as { readonly function: { readonly name: string } }[]).map(
      (tool) => tool.function.name,
    ),
  );
  expect(tools).toEqual([["repeat", "agent__final_report"], ["agent__final_report"]]);
});

test.concurrent("with the transport xml-final tools stay native, and the report is written in a tag", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve(({ body }, index) => {
    if (index === 0) return calls(["echo", { text: "1" }]);
    const [tag] = /ai-agent-[0-9a-f]+-FINAL/u.exec(JSON.stringify(body)) ?? ["no tag"];
    return { text: `<${tag} tool="agent__final_report" format="markdown"># Done</${tag}>` };
  });
  world.write(
    FILE,
    oneTarget(model, {
      session: { transport: "xml-final" },
      mcp_servers: { a: world.servers.config({ name: "a", tools: ["echo"] }) },
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  const result = resultOf(ended);
  expect(result.finalReport?.content).toBe("# Done");
  expectAccounting(result, "pa ok", "echo ok", "pa ok", "agent__final_report_xml ok");
  await world.servers.allEnded();
});
