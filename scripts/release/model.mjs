// Loaded before a quickstart: answers its requests to a model, because there is neither a key nor a network for them. The model calls
// the first tool without arguments; once it has read the answer, it says "Done.". The process fails if that is not the contract's answer.
import { inspect } from "node:util";

process.env["AI_GATEWAY_API_KEY"] ??= "none";
process.env["ANTHROPIC_API_KEY"] ??= "none";
process.env["OPENAI_API_KEY"] ??= "none";
process.env["OPENAI_AGENTS_DISABLE_TRACING"] ??= "1";

// A page shows objects as JSON.
const print = console.log;
console.log = (...values) =>
  print(
    values
      .map((one) =>
        typeof one === "string" ? one : (JSON.stringify(one, null, 2) ?? inspect(one)),
      )
      .join(" "),
  );

const loopback = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { hostname, pathname } = new URL(request.url);
  if (["127.0.0.1", "localhost"].includes(hostname)) return loopback(request);
  const answer = WIRES[hostname]?.[pathname.split("/").at(-1) ?? ""];
  if (answer === undefined) throw new Error(`A quickstart asked for ${request.url}`);
  const body = JSON.parse(await request.text());
  const text = JSON.stringify(body);
  // A tool's result is in the request once the model has called one.
  const isAnswered = /"(?:tool_result|tool-result|function_call_output)"|"role":"tool"/.test(text);
  if (isAnswered && !/Validation failed for tool/.test(text)) {
    process.exitCode = 1;
    console.error(`The model read something else than the contract's answer: ${text}`);
  }
  return Response.json(answer(body, isAnswered, request.headers));
};

const SAID = "Done.";
// A framework takes two messages with one id for the same.
let answers = 0;

const WIRES = {
  "api.anthropic.com": {
    messages: (body, isAnswered) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: body.model,
      content: [
        isAnswered || !body.tools?.length
          ? { type: "text", text: SAID }
          : { type: "tool_use", id: "toolu_1", name: body.tools[0].name, input: {} },
      ],
      stop_reason: isAnswered || !body.tools?.length ? "end_turn" : "tool_use",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  },
  "api.openai.com": {
    completions: (body, isAnswered) => {
      const name = body.tools?.[0]?.function.name;
      const isEnd = isAnswered || name === undefined;
      const call = { id: "call_1", type: "function", function: { name, arguments: "{}" } };
      const message = isEnd ? { content: SAID } : { content: null, tool_calls: [call] };
      answers += 1;
      return {
        id: `chatcmpl_${answers}`,
        object: "chat.completion",
        created: 1,
        model: body.model,
        choices: [
          {
            index: 0,
            message: { role: "assistant", refusal: null, ...message },
            finish_reason: isEnd ? "stop" : "tool_calls",
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      };
    },
    responses: (body, isAnswered) => {
      const name = body.tools?.[0]?.name;
      const content = [{ type: "output_text", text: SAID, annotations: [] }];
      const item =
        isAnswered || name === undefined
          ? { type: "message", id: "msg_1", role: "assistant", status: "completed", content }
          : {
              type: "function_call",
              id: "fc_1",
              call_id: "call_1",
              name,
              arguments: "{}",
              status: "completed",
            };
      return {
        id: "resp_1",
        object: "response",
        created_at: 1,
        status: "completed",
        model: body.model,
        output: [item],
        usage: {
          input_tokens: 1,
          output_tokens: 1,
          total_tokens: 2,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      };
    },
  },
  "ai-gateway.vercel.sh": {
    "language-model": (body, isAnswered, headers) => {
      const name = body.tools?.[0]?.name;
      const isEnd = isAnswered || name === undefined;
      const reason = isEnd ? "stop" : "tool-calls";
      // Version 2 of the specification is AI SDK 5's.
      const isOld = headers.get("ai-language-model-specification-version") === "2";
      return {
        content: [
          isEnd
            ? { type: "text", text: SAID }
            : { type: "tool-call", toolCallId: "call_1", toolName: name, input: "{}" },
        ],
        finishReason: isOld ? reason : { unified: reason, raw: reason },
        usage: isOld
          ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
          : { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      };
    },
  },
};
