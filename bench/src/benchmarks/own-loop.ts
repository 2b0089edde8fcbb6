import { createContract, type HandledInTurn } from "@toolcontract/core";
import { anthropic, gemini, openai, responses } from "@toolcontract/core/wire";
import { type Benchmark, rowNamed, type Setting, type Table } from "../benchmark.ts";
import { race } from "../race.ts";
import { typicalCall } from "../typical-call.ts";

const CALLS = 4;
const HANDLED = "contract.handleTurn";
const MOST = 0.1;

/** Measures what it costs to read a message of four calls and to write its answers, in an own loop. */
export const ownLoop: Benchmark = {
  name: "own-loop",
  about:
    "read() of a message with four calls and write() of their answers, against handleTurn() of the four",
  run: async (setting) => [await measure(setting)],
};

const { tool, text } = typicalCall;
const places = Array.from({ length: CALLS }, (_, index) => `call_${index}`);

/** A message of four calls as each API sends it, and what an own loop does with it besides. */
const APIS = {
  openai: wire(openai, {
    id: "x",
    choices: [
      {
        finish_reason: "tool_calls",
        message: {
          tool_calls: places.map((id) => {
            return { id, type: "function", function: { name: tool.name, arguments: text } };
          }),
        },
      },
    ],
  }),
  responses: wire(responses, {
    id: "x",
    status: "completed",
    output: places.map((id) => {
      return { type: "function_call", call_id: id, name: tool.name, arguments: text };
    }),
  }),
  anthropic: wire(anthropic, {
    id: "x",
    stop_reason: "tool_use",
    content: places.map((id) => {
      return { type: "tool_use", id, name: tool.name, input: JSON.parse(text) as unknown };
    }),
  }),
  gemini: wire(gemini, {
    responseId: "x",
    candidates: [
      {
        finishReason: "STOP",
        content: {
          parts: places.map((id) => {
            return { functionCall: { id, name: tool.name, args: JSON.parse(text) as unknown } };
          }),
        },
      },
    ],
  }),
};

interface Wire<Response> {
  read(response: Response): ReturnType<typeof openai.read>;
  write(handled: readonly HandledInTurn[]): readonly unknown[];
}

function wire<Response>(api: Wire<Response>, response: Response) {
  return {
    read: () => api.read(response),
    write: (handled: readonly HandledInTurn[]) => api.write(handled).length,
  };
}

async function measure({ length }: Setting): Promise<Table> {
  const contract = createContract({ logger: false });
  const { calls } = APIS.openai.read();
  let turn = 0;
  const handle = async () => {
    turn += 1;
    const place = { conversationId: "a", turnId: `${turn}`, finishReason: "tool_calls" };
    return contract.handleTurn(calls, { tools: [tool], ...place, execute: () => "written" });
  };
  const handled = await handle();
  if (handled.some(({ status }) => status !== "executed")) throw new Error("A call did not run.");
  const timings = await race(
    [
      { name: HANDLED, run: handle },
      ...Object.entries(APIS).map(([name, api]) => ({
        name: `read and write, ${name}`,
        run: () => api.read().calls.length + api.write(handled),
      })),
    ],
    length,
  );
  const rows = timings.map(({ name, median: value, ratio, spread }) => {
    return { name, value, unit: "µs a message", ratio, spread };
  });
  const others = rows.filter((row) => row !== rowNamed(rows, HANDLED));
  return {
    title: `a message of ${CALLS} calls of a typical tool`,
    rows,
    target: {
      words: `reading and writing costs at most ${MOST * 100} % of handling`,
      met: others.every(({ ratio }) => ratio <= MOST),
    },
  };
}
