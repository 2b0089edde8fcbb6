import { createContract } from "@toolcontract/core";
import { startRecording } from "@toolcontract/telemetry";
import { type Benchmark, type Setting, type Table } from "../benchmark.ts";
import { perCall, race } from "../race.ts";
import { TYPICAL } from "../typical-call.ts";

/** Measures what telemetry costs a valid and a refused call; the SDK is registered for both. */
export const telemetry: Benchmark = {
  name: "telemetry",
  about: "handle() of a valid and of an invalid call, with and without OpenTelemetry's SDK",
  async run(setting) {
    const recording = startRecording({ keeps: false });
    try {
      const [text = ""] = TYPICAL.calls.map((call) => call.text);
      return [
        await measure("a valid call", text, recording.api, setting),
        await measure("a call without arguments, refused", "{}", recording.api, setting),
      ];
    } finally {
      recording.stop();
    }
  },
};

async function measure(
  title: string,
  text: string,
  api: ReturnType<typeof startRecording>["api"],
  { length }: Setting,
): Promise<Table> {
  const quiet = { logger: false } as const;
  const contestants = [
    handling("without telemetry", createContract(quiet), text),
    handling("with telemetry", createContract({ ...quiet, telemetry: api }), text),
  ];
  return { title, rows: perCall(await race(contestants, length), 1) };
}

function handling(
  name: string,
  contract: ReturnType<typeof createContract>,
  text: string,
): { readonly name: string; run(): Promise<void> } {
  const tool = TYPICAL.calls[0]?.tool ?? { name: "none" };
  let turn = 0;
  return {
    name,
    async run() {
      turn += 1;
      const call = { id: "call_1", name: tool.name, arguments: text };
      const context = { tool, conversationId: `${turn}`, turnId: "1", execute: () => "done" };
      await contract.handle(call, context);
    },
  };
}
