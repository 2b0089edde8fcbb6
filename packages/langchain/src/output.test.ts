import { createContract } from "@toolcontract/core";
import { ChatOpenAI } from "@langchain/openai";
import * as langchain from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toolContractMiddleware } from "./index.ts";
import { fakeFetch } from "./testing/fake-fetch.ts";
import { LABS } from "./testing/every-langchain.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";

const SCHEMA = {
  title: "review",
  type: "object",
  properties: { rating: { type: "integer", maximum: 5 }, title: { type: "string" } },
  required: ["rating", "title"],
} as const;
const BAD = '{"rating":10,"title":"Fine"}';
const GOOD = '{"rating":4,"title":"Fine"}';

// The middleware of the oldest version is not shown what the output must be.
const SHOWN = LABS.filter(({ line }) => line !== "oldest");

describe.each(SHOWN)("structured output on LangChain $version", (lab) => {
  const { toolStrategy, providerStrategy } = lab.langchain as never as Record<
    "toolStrategy" | "providerStrategy",
    (schema: object) => never
  >;
  const called = (args: string, id: string) => ({ calls: [{ id, name: "review", args }] });

  const run = async (
    turns: Parameters<typeof runAgent>[1]["turns"],
    responseFormat: unknown,
    options: object = {},
  ) => {
    const contract = createContract({ logger: false });
    const middleware = [contractOf(lab, { contract, output: true, ...options })];
    const agent = { responseFormat, middleware };
    return { contract, ran: await runAgent(lab, { turns, tools: [], agent }) };
  };

  test("a tool strategy is asked again in the contract's words", async () => {
    const turns = [called(BAD, "a"), called(GOOD, "b")];
    const { ran, contract } = await run(turns, toolStrategy(SCHEMA));
    expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
    expect(ran.script.requests).toHaveLength(2);
    const told = ran.script.requests[1]?.at(-1)?.content;
    expect(told).toContain("Validation failed for the answer (attempt 1/3):");
    expect(contract.metrics().byTool["answer"]).toMatchObject({ rejected: 1 });
  });

  test("and comes to an end", async () => {
    const turns = Array.from({ length: 12 }, (_, at) => called(BAD, `c${at}`));
    const { ran } = await run(turns, toolStrategy(SCHEMA));
    expect(ran.script.requests).toHaveLength(3);
    expect(ran.last).toContain("answer");
    const throwing = run(turns, toolStrategy(SCHEMA), { escalate: "throw" });
    await expect(throwing).rejects.toMatchObject({ name: "EscalationError" });
  });

  test("a provider's own format is asked again, where LangChain ends the run", async () => {
    const turns = [{ text: BAD }, { text: GOOD }];
    const { ran } = await run(turns, providerStrategy(SCHEMA));
    expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
    const told = ran.script.requests[1]?.at(-1)?.content;
    expect(told).toContain("Validation failed for the answer (attempt 1/3):");
  });

  test("JSON in a fence fits", async () => {
    const fenced = `\`\`\`json\n${GOOD}\n\`\`\``;
    const { ran } = await run([{ text: fenced }], providerStrategy(SCHEMA));
    expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
    expect(ran.script.requests).toHaveLength(1);
  });

  describe.each([
    ["JSON Schema", SCHEMA],
    ["zod", z.object({ rating: z.int().max(5), title: z.string() }).meta({ title: "review" })],
  ])("a schema without a strategy: %s", (_kind, schema) => {
    test("is judged in a call", async () => {
      const { ran, contract } = await run([called(BAD, "a"), called(GOOD, "b")], schema);
      expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
      const told = ran.script.requests[1]?.at(-1)?.content;
      expect(told).toContain("Validation failed for the answer (attempt 1/3):");
      expect(contract.metrics().byTool["answer"]).toMatchObject({ calls: 2, rejected: 1 });
    });

    test("is judged in the format of a provider that has one", async () => {
      const { model, requests } = lab.script([{ text: BAD }, { text: GOOD }]);
      Object.defineProperty(model, "profile", { value: { structuredOutput: true } });
      const middleware = [contractOf(lab, { output: true })];
      const agent = { model, responseFormat: schema, middleware };
      const ran = await runAgent(lab, { turns: [], tools: [], agent });
      expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
      const told = requests[1]?.at(-1)?.content;
      expect(told).toContain("Validation failed for the answer (attempt 1/3):");
    });
  });

  test("one of several schemas is judged", async () => {
    const other = { ...SCHEMA, title: "other" };
    const { ran } = await run([called(BAD, "a"), called(GOOD, "b")], [other, SCHEMA]);
    expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
    expect(ran.script.requests[1]?.at(-1)?.content).toContain("(attempt 1/3)");
  });

  test("an answer that fits passes", async () => {
    const { ran } = await run([called(GOOD, "a")], toolStrategy(SCHEMA));
    expect(ran.state["structuredResponse"]).toEqual({ rating: 4, title: "Fine" });
  });
});

// OpenAI's client reads structured output itself, and throws the text away if it is not JSON.
test.each([
  ["prose", "The notes are good; I would give four.", "stop", "VAL-004"],
  ["a value over its limit in a fence", `\`\`\`json\n${BAD}\n\`\`\``, "stop", "VAL-004"],
  ["what the limit of tokens cut", GOOD.slice(0, -4), "length", "VAL-011"],
  ["what ends early", GOOD.slice(0, -4), "stop", "VAL-011"],
])("%s is asked for again if its client cannot read it", async (_, text, finish_reason, code) => {
  const body = (content: string, reason: string): object => {
    const message = { role: "assistant", content };
    return { id: "c", choices: [{ index: 0, message, finish_reason: reason }] };
  };
  const { fetch, bodies } = fakeFetch([body(text, finish_reason), body(GOOD, "stop")]);
  const agent = langchain.createAgent({
    model: new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, configuration: { fetch } }),
    tools: [],
    responseFormat: langchain.providerStrategy(SCHEMA as never),
    middleware: [toolContractMiddleware({ output: true, logger: false })],
  });
  const state = await agent.invoke({ messages: [{ role: "user", content: "Rate it" }] });
  expect(state).toMatchObject({ structuredResponse: { rating: 4, title: "Fine" } });
  expect(bodies).toHaveLength(2);
  const told = JSON.stringify(bodies[1]?.["messages"]);
  expect(told).toContain("Validation failed for the answer (attempt 1/3):");
  expect(told).toContain(code);
});
