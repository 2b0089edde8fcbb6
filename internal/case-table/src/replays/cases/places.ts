import { expect } from "vitest";
import { KIM, messageOf, type ReplayCase, sentTo } from "../replay-case.ts";
import { MONEY } from "../replay-world.ts";
import type { Payment } from "../replays-kit.ts";

/** A guardrail that reads a limit of the conversation, and the limit itself. */
const PLACED = {
  ...MONEY,
  limits: { money: { max: 100 } },
  guardrails: [
    {
      name: "keep_some",
      check: async ({
        args,
        usage,
      }: {
        readonly args: Payment;
        readonly usage: (limit: string) => Promise<{ readonly left: number }>;
      }) => (await usage("money")).left < args.amount && "the budget is used up",
    },
  ],
};

/** Policies are asked where their place is known, accounts are told apart, and what a host lacks is not the model's mistake. */
export const placeCases: readonly ReplayCase[] = [
  {
    clause: "place",
    name: "what asks about a conversation is asked in the one that the host names",
    needs: [],
    async run({ open, paid }) {
      const { send } = open({ policies: PLACED });
      expect(await send(messageOf([KIM]))).toEqual(sentTo([KIM]));
      const [short] = await send(messageOf([{ to: "Kim", amount: 90 }], { name: "second" }));
      expect(short).toContain("is used up");
      expect(await send(messageOf([KIM], { conversation: "u" }))).toEqual(sentTo([KIM]));
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
    },
  },
  {
    clause: "place",
    name: "where nobody names one, runs count apart, or it fails with what to pass and closes nothing",
    needs: [],
    async run({ open, paid }) {
      const { send } = open({ policies: PLACED });
      const most = { to: "Kim", amount: 90 };
      const texts: string[] = [];
      for (const name of ["first", "second", "third", "fourth"]) {
        const sent = send({ name, payments: [most] });
        texts.push(...(await sent.catch((thrown: unknown) => [String(thrown)])));
      }
      expect(texts).toHaveLength(4);
      for (const text of texts) {
        expect(text).toMatch(
          paid().length > 0
            ? /^sent to Kim$/
            : /Pass `conversationId`|cannot be used now, whatever its arguments are/,
        );
      }
    },
  },
  {
    clause: "window",
    name: "limits of one name and two periods on one ledger hold each",
    needs: [],
    async run({ open, paid }) {
      const limited = (per: string) =>
        open({
          policies: { ...MONEY, limits: { money: { max: 20, scope: "global", per } } },
        });
      const [day, minute] = [limited("day"), limited("minute")];
      expect(await day.send(messageOf([KIM]))).toEqual(sentTo([KIM]));
      expect(await minute.send(messageOf([KIM], { name: "second" }))).toEqual(sentTo([KIM]));
      for (const [index, process] of [day, minute, day].entries()) {
        const [text] = await process.send(messageOf([KIM], { name: `more ${index}` }));
        expect(text).toContain("GRD-008");
      }
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
    },
  },
  {
    clause: "omission",
    name: "what the host has not passed is not the model's mistake, and closes no tool",
    needs: ["users"],
    async run({ open, paid, lines }) {
      const limits = { money: { max: 100, scope: "user" } };
      const { send } = open({ policies: { ...MONEY, limits } });
      for (const name of ["first", "second", "third", "fourth"]) {
        const [text] = await send({ name, conversation: "t", payments: [KIM] });
        expect(text).toContain("cannot be used now, whatever its arguments are");
        expect(text).not.toContain("attempt");
      }
      expect(lines).toContain("The scope of a limit has no value, so the call is refused");
      expect(await send(messageOf([KIM], { name: "fifth" }))).toEqual(sentTo([KIM]));
      expect(paid()).toEqual(["Kim 20"]);
    },
  },
];
