import { expect } from "vitest";
import { KIM, LEE, lost, messageOf, type ReplayCase, sentTo } from "../replay-case.ts";
import { MONEY, nameOf } from "../replay-world.ts";
import type { Payment } from "../replays-kit.ts";

/** One call of a message asks, and its siblings run. */
function siblings(what: string, payments: readonly Payment[]): ReplayCase {
  return {
    clause: "outcome",
    name: `a call ${what} runs once, and so does what comes again after that`,
    needs: ["comes again"],
    async run({ open, paid }) {
      const { send, counted } = open();
      const message = messageOf(payments);
      expect(await send(message)).toEqual(sentTo(payments));
      expect(await send(message)).toEqual(sentTo(payments));
      expect(paid()).toEqual(payments.map(nameOf).toSorted());
      const spent = payments.reduce((sum, { amount }) => sum + amount, 0);
      expect(await counted()).toMatchObject({ spent, inDoubt: 0 });
    },
  };
}

/** A call that ran is answered with what it came to, to whoever made it, and to nobody else. */
export const outcomeCases: readonly ReplayCase[] = [
  siblings("before the one that asks", [KIM, LEE]),
  siblings("after it", [LEE, KIM]),
  siblings("before two that ask", [KIM, LEE, { to: "Ann", amount: 500 }]),
  {
    clause: "outcome",
    name: "a call whose outcome is unknown says so, closes its tool and never runs again",
    needs: ["comes again"],
    async run({ open, paid, payBy }) {
      const { send, counted } = open();
      payBy(lost);
      const [first] = await send(messageOf([LEE]));
      expect(first).toContain("GRD-006");
      expect(first).toContain("Do not call 'pay' again");
      expect(await send(messageOf([LEE]))).toEqual([first]);
      expect(paid()).toEqual(["Lee 800"]);
      expect(await counted()).toMatchObject({ spent: 0, inDoubt: 800 });
    },
  },
  {
    clause: "outcome",
    name: "a call that ran in another process does not run again, and its result stays there",
    needs: ["comes again elsewhere"],
    async run({ open, paid }) {
      await open().send(messageOf([KIM, LEE]));
      const again = await open().send(messageOf([KIM, LEE]));
      expect(again[1]).toContain("has run and need not be called again");
      expect(paid()).toEqual(["Kim 20", "Lee 800"]);
    },
  },
  {
    clause: "outcome",
    name: "with keepResults, it is answered with its result",
    needs: ["comes again elsewhere"],
    async run({ open, paid }) {
      const policies = { ...MONEY, keepResults: true };
      await open({ policies }).send(messageOf([KIM, LEE]));
      const again = await open({ policies }).send(messageOf([KIM, LEE]));
      expect(again).toEqual(sentTo([KIM, LEE]));
      expect(paid()).toEqual(["Kim 20", "Lee 800"]);
    },
  },
  {
    clause: "outcome",
    name: "a call that another process died in is in doubt, and never runs again",
    needs: ["goes on elsewhere"],
    async run({ open, paid, payBy }) {
      let end = (): void => undefined;
      payBy(async () => new Promise((resolve) => (end = () => resolve("too late"))));
      const died = open().send(messageOf([LEE]));
      await expect.poll(paid).toEqual(["Lee 800"]);
      const [again] = await open().send(messageOf([LEE]));
      expect(again).toContain("GRD-006");
      expect(paid()).toEqual(["Lee 800"]);
      // Hosts would go on waiting for it.
      end();
      await died;
    },
  },
  {
    clause: "outcome",
    name: "equal calls of a message run once, and each gets the answer",
    needs: ["messages"],
    async run({ open, paid }) {
      const nine = Array.from({ length: 9 }, () => KIM);
      const { send, counted } = open();
      expect(await send(messageOf(nine))).toEqual(sentTo(nine));
      expect(paid()).toEqual(["Kim 20"]);
      expect(await counted()).toMatchObject({ spent: 20 });
    },
  },
  {
    clause: "outcome",
    name: "equal calls of a message run each with repeatedCalls: run",
    needs: [],
    async run({ open, paid }) {
      const nine = Array.from({ length: 9 }, () => KIM);
      const { send } = open({ repeatedCalls: "run" });
      expect(await send(messageOf(nine))).toEqual(sentTo(nine));
      expect(paid()).toEqual(nine.map(nameOf));
    },
  },
  {
    clause: "outcome",
    name: "the same call of another message or conversation is another call",
    needs: [],
    async run({ open, paid }) {
      const { send } = open();
      for (const more of [{}, { name: "second" }, { conversation: "u" }]) {
        expect(await send(messageOf([KIM], more))).toEqual(sentTo([KIM]));
      }
      expect(paid()).toEqual(["Kim 20", "Kim 20", "Kim 20"]);
    },
  },
  {
    clause: "outcome",
    name: "the same call of another user is another call",
    needs: ["users"],
    async run({ open, paid }) {
      const { send } = open();
      for (const user of ["ann", "bob"]) {
        expect(await send(messageOf([KIM], { user }))).toEqual(sentTo([KIM]));
      }
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
    },
  },
  {
    clause: "outcome",
    name: "a conversation that nobody names answers nobody else",
    needs: [],
    async run({ open, paid }) {
      const { send } = open();
      for (const name of ["Ann's", "Bob's"]) {
        expect(await send({ name, payments: [KIM] })).toEqual(sentTo([KIM]));
      }
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
    },
  },
];
