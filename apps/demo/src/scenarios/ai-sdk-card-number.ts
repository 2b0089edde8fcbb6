import { inspect } from "node:util";
import { tool } from "ai";
import { z } from "zod";
import { type Toolbox } from "../ai-sdk/toolbox.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { producedText } from "../produced-text.ts";
import { callAt } from "../scenario.ts";

const card = "4111111111111111";
// Built from parts, so that no scanner reports this file as a leak.
const token = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");
const parts = [card, card.slice(0, 6), card.slice(-6), token.slice(0, 10), token.slice(-10)];
const booking = { from: "LIS", to: "AMS", date: "2026-11-20" };
const notes = `booked by agent ${token}`;
const good = { ...booking, seats: 2, cabin: "business", payment: { card_number: card }, notes };

function openToolbox(): Toolbox {
  const reached: unknown[] = [];
  const book_flight = tool({
    description: "Books a flight",
    inputSchema: z.object({
      from: z.string().length(3),
      to: z.string().length(3),
      date: z.iso.date(),
      seats: z.int().min(1),
      cabin: z.enum(["economy", "business"]),
      payment: z.object({ card_number: z.string() }),
      notes: z.string().optional(),
    }),
    execute: ({ seats, from, to }) => {
      reached.push(from);
      return `Booked ${seats} seats from ${from} to ${to}`;
    },
  });
  return { tools: { book_flight }, reached };
}

/** An invalid call that also has a card number and a token. */
export const aiSdkCardNumber = onAiSdk({
  name: "ai-sdk-card-number",
  title: "AI SDK: a card number and a token in an invalid call",
  story:
    "The AI SDK quotes the whole invalid call in its error: a card number, a token, whatever is next to the mistake.",
  secrets: [token, card],
  openToolbox,
  script: [
    {
      calls: [
        {
          tool: "book_flight",
          args: { ...good, seats: "2", cabin: "first", payment: { card_number: Number(card) } },
        },
      ],
    },
    {
      learned: ["send 2 without quotes", 'one of "economy", "business"', "expected string"],
      calls: [{ tool: "book_flight", args: good }],
    },
    { calls: [], says: "Two seats in business class are booked." },
  ],
  verify(scene, claim) {
    const bad = callAt(scene, 1);
    const [plain] = bad.without;
    const everything = producedText(scene);
    const printed = scene.withContract.steps.map(({ content }) => inspect(errorsOf(content)));
    const leaks = (text: string): boolean => parts.some((part) => text.includes(part));
    claim(
      "the SDK's own error contains the card number and the token",
      plain !== undefined && [card, token].every((secret) => plain.text.includes(secret)),
      plain?.text,
    );
    claim(
      "the contract's answer, events, log and metrics contain no part of either",
      !leaks(everything),
    );
    claim(
      "nor does the error that the SDK keeps, when printed",
      !leaks(printed.join("\n")),
      printed,
    );
    claim(
      `its message is shorter (${bad.tokens} tokens, not ${plain?.tokens})`,
      plain !== undefined && bad.tokens < plain.tokens,
    );
    claim("all three faults are reported at once", bad.handled.result.errors?.length === 3);
    claim(
      "the corrected call books the flight",
      callAt(scene, 2).handled.result.content === "Booked 2 seats from LIS to AMS",
    );
    claim("the tool ran once", scene.withContract.reached.length === 1);
  },
});

function errorsOf(content: readonly object[]): readonly unknown[] {
  return content.flatMap((part) => ("error" in part ? [part.error] : []));
}
