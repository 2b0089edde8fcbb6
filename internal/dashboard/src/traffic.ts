import { createContract } from "@toolcontract/core";
import { startRecording } from "@toolcontract/telemetry";

/** How much traffic there is, and how often it is scraped. */
export const HOURS = 6;
export const MINUTES = 60 * HOURS;

const TOOLS = ["search_orders", "book_flight", "pay_invoice"] as const;
const SCHEMA = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 1 },
    kind: { enum: ["new", "open", "closed"] },
  },
  required: ["id", "kind"],
} as const;
const VALID = '{"id": 7, "kind": "open"}';
const REPAIRED = '{"id": 7, "kind": "open",}';
const INVALID = [
  '{"id": 7}',
  '{"id": 7, "kind": "opne"}',
  '{"id": "seven", "kind": "new"}',
  '{"id": 7, "ki',
];

/** While the formatter of a tool throws, in minutes. */
const BROKEN = { from: 210, to: 240 };
const CONVERSATIONS_A_MINUTE = 20;

/** Six hours of scripted conversations, scraped each minute from `start` (in seconds) on, as OpenMetrics. */
export async function recordTraffic(start: number): Promise<string> {
  const recording = startRecording({ keeps: false });
  let minute = 0;
  const contract = createContract({
    telemetry: recording.api,
    logger: false,
    formatters: {
      search_orders() {
        if (minute >= BROKEN.from && minute < BROKEN.to) throw new TypeError("no orders");
        return undefined;
      },
    },
  });
  const random = randomFrom(7);
  const scrapes: string[] = [];
  for (; minute <= MINUTES; minute += 1) {
    for (let index = 0; index < CONVERSATIONS_A_MINUTE; index += 1) {
      const name = oneOf(TOOLS, random());
      const conversationId = `${minute}/${index}`;
      for (const [turn, args] of conversation(random).entries()) {
        const call = { id: `call_${turn}`, name, arguments: args };
        const tool = { name, inputSchema: SCHEMA };
        const context = { tool, conversationId, turnId: `${turn}`, execute: () => "done" };
        await contract.handle(call, context);
      }
    }
    const at = start + 60 * minute;
    const samples = (await recording.prometheus()).split("\n").filter((line) => /^\w/.test(line));
    scrapes.push(...samples.map((line) => `${line} ${at}`));
  }
  recording.stop();
  return `${scrapes.join("\n")}\n# EOF\n`;
}

/** The arguments that a model sends, turn by turn: mostly valid, else corrected after one or two answers, or never. */
function conversation(random: () => number): readonly string[] {
  const share = random();
  const invalid = (): string => oneOf(INVALID, random());
  if (share < 0.84) return [VALID];
  if (share < 0.87) return [REPAIRED];
  if (share < 0.965) return [invalid(), VALID];
  if (share < 0.99) return [invalid(), invalid(), VALID];
  return [invalid(), invalid(), invalid(), invalid()];
}

function oneOf<T>(choices: readonly [T, ...T[]] | readonly T[], share: number): T {
  return choices[Math.floor(share * choices.length)] as T;
}

/** Numbers from 0 to 1 that look random, and are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
