import { createContract, defineTool, repairHistory } from "@toolcontract/core";
import { openai } from "@toolcontract/core/wire";
import OpenAI from "openai";
import type { Graded, Kit } from "../kit.ts";

const HERE = { conversationId: "here", runId: "one" } as const;

/** The loop of docs/own-loop-openai.md, with the final answer of docs/final-answer.md. */
export const contract: Graded = async (kit: Kit) => {
  const { baseUrl, prompt, tools, run, answer, answered } = kit;
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none" });
  const judge = createContract({ logger: false });
  const own = tools.map(({ name, parameters: inputSchema }) =>
    defineTool({ name, inputSchema, execute: async (input: unknown) => run(name, input) }),
  );
  const offered = tools.map(({ name, description, parameters }) => {
    return { type: "function" as const, function: { name, description, parameters } };
  });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
  let choice: "auto" | "none" = "auto";
  for (let turn = 0; turn < 20; turn += 1) {
    const completion = await client.chat.completions.create({
      model: "scripted",
      messages: [...repairHistory(messages).messages],
      tools: offered,
      tool_choice: choice,
    });
    const message = completion.choices[0]?.message;
    const { calls, ...read } = openai.read(completion);
    if (message === undefined) return;
    if (calls.length > 0) {
      const handled = await judge.handleTurn(calls, { tools: own, ...HERE, ...read });
      messages.push(message, ...openai.write(handled));
      if (handled.every(({ status }) => status === "blocked")) choice = "none";
      continue;
    }
    if (answer === undefined) return;
    const finishReason = completion.choices[0]?.finish_reason;
    const judged = await judge.answer(message.content, {
      schema: answer,
      ...HERE,
      ...(finishReason && { finishReason }),
    });
    if (judged.status === "valid") return answered(judged.output);
    if (judged.status === "blocked") return;
    messages.push(message, { role: "user", content: judged.content });
  }
};
