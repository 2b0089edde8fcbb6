import { type Effect, Outcome } from "@toolcontract/guardrails";
import type { Random } from "./random.ts";

/** The kinds of effects that tools of a schedule are declared to have. */
export const EFFECTS = [
  undefined,
  "irreversible",
  "idempotent",
  "compensable",
  "state",
  "none",
] as const satisfies readonly (Effect | undefined)[];

const ENDS = [
  "returns",
  "returns",
  "returns",
  "throws",
  "is an error",
  "may be retried",
  "is an MCP error",
  "never ends",
  "says it is not done",
] as const;

/** What a tool needs to pay in a schedule. */
export interface Paying {
  readonly random: Random;
  readonly pause: (most?: number) => Promise<void>;
  /** Makes the effect; never more than was reserved. */
  readonly pay: () => number;
}

/** A tool that pays at some moment, or does not, and then ends in some way; only one that has not paid says so. */
export async function payment({ random, pause, pay }: Paying): Promise<unknown> {
  const end = random.pick(ENDS);
  await pause();
  if (end === "says it is not done") {
    return Outcome.notDone("declined", "the bank said no", { retriable: random.percent(50) });
  }
  const doesPay = random.percent(85);
  const charged = doesPay ? pay() : 0;
  await pause();
  switch (end) {
    case "throws":
      throw new Error("no answer");
    case "is an error":
      return Outcome.error("no_answer", "the bank did not answer");
    case "may be retried":
      return Outcome.error("no_answer", "the bank did not answer", { retriable: true });
    case "is an MCP error":
      return { isError: true, content: [] };
    case "never ends":
      return new Promise(() => undefined);
    default:
      return { charged };
  }
}
