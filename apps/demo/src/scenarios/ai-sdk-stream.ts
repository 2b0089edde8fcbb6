import { tool } from "ai";
import { z } from "zod";
import { type Toolbox } from "../ai-sdk/toolbox.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import type { SdkRun } from "../ai-sdk/run-sdk.ts";
import { callAt } from "../scenario.ts";

const iban = "DE89370400440532013000";
const good = { to: iban, euros: 50 };
const done = "50 euros are on their way.";

function openToolbox(): Toolbox {
  const reached: unknown[] = [];
  const transfer = tool({
    description: "Sends money",
    inputSchema: z.object({ to: z.string(), euros: z.number().positive() }),
    execute: ({ euros }) => {
      reached.push(euros);
      return `Sent ${euros} euros`;
    },
  });
  const balance = tool({
    description: "Returns the balance",
    inputSchema: z.object({}),
    execute: () => "120 euros",
  });
  return { tools: { transfer, balance }, reached };
}

/** An invalid call in a stream, next to a valid one. */
export const aiSdkStream = onAiSdk({
  name: "ai-sdk-stream",
  title: "AI SDK: streamText, an invalid call next to a valid one, and what the browser gets",
  story: "In a stream the AI SDK sends its error, with every argument, to the browser too.",
  runs: "streamText",
  secrets: [iban],
  openToolbox,
  script: [
    {
      calls: [
        { tool: "transfer", args: { ...good, euros: "50" } },
        { tool: "balance", args: {} },
      ],
    },
    { learned: ["send 50 without quotes", "120 euros"], calls: [{ tool: "transfer", args: good }] },
    { calls: [], says: done },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const answer = callAt(scene, 1).handled.result.content;
    claim(
      "without the contract the error in the browser contains the account number",
      errorsIn(withoutContract).some((text) => text.includes(iban)),
      errorsIn(withoutContract),
    );
    claim(
      "with it the browser gets the same text as the model",
      JSON.stringify(errorsIn(withContract)) === JSON.stringify([answer]),
      errorsIn(withContract),
    );
    claim("which has no account number", !answer.includes(iban));
    claim(
      "the valid call of the same step runs",
      callAt(scene, 1, 2).handled.status === "executed",
    );
    claim(
      "the money is sent once",
      JSON.stringify(withContract.reached) === "[50]",
      withContract.reached,
    );
    claim("the browser gets the model's answer", textIn(withContract) === done);
  },
});

function errorsIn({ shown }: SdkRun): readonly string[] {
  return shown.flatMap((chunk) => (chunk.type === "tool-input-error" ? [chunk.errorText] : []));
}

function textIn({ shown }: SdkRun): string {
  return shown.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
}
