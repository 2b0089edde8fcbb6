import { expect } from "vitest";
import { KIM, LEE, lost, messageOf, type ReplayCase, sentTo } from "../replay-case.ts";
import { MONEY } from "../replay-world.ts";

/** One key is one payment and one entry of the ledger, and one grant is for one call. */
export const entryCases: readonly ReplayCase[] = [
  {
    clause: "entry",
    name: "a payment that is made again under its key is one entry, and settled once",
    needs: ["keys"],
    async run({ open, paid, payBy, keys }) {
      const policies = { ...MONEY, effects: { pay: "idempotent" } as const };
      const { send, counted, reconcile } = open({ policies });
      payBy(lost);
      await send(messageOf([KIM]));
      expect(await counted()).toMatchObject({ spent: 0, inDoubt: 20 });
      await send(messageOf([KIM], { name: "second" }));
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
      expect(keys[0]).toEqual(expect.any(String));
      expect(keys[1]).toBe(keys[0]);
      expect(await counted()).toMatchObject({ spent: 0, inDoubt: 20 });
      expect(await reconcile()).toBe(1);
      expect(await counted()).toMatchObject({ spent: 20, inDoubt: 0 });
    },
  },
  {
    clause: "entry",
    name: "two payments whose ids are positions never share a key, in one process or in two",
    needs: [],
    async run({ open, paid, keys }) {
      const policies = { ...MONEY, effects: { pay: "idempotent" } as const };
      const [one, other] = [open({ policies }), open({ policies })];
      await one.send({ name: "Ann's", payments: [KIM] });
      await one.send({ name: "Bob's", payments: [KIM] });
      await other.send({ name: "Cid's", payments: [KIM] });
      await one.send(messageOf([KIM], { conversation: "a" }));
      await other.send(messageOf([KIM], { conversation: "b" }));
      expect(paid()).toHaveLength(5);
      const known = keys.filter((key) => key !== undefined);
      expect(new Set(known).size).toBe(known.length);
    },
  },
  {
    clause: "entry",
    name: "a call whose tool pauses keeps what it has reserved, and spends it once",
    needs: ["pauses"],
    async run({ open, paid, payBy }) {
      const { send, counted } = open();
      payBy(({ to }, { pause }) => {
        pause?.();
        return `sent to ${to}`;
      });
      expect(await send(messageOf([KIM]))).toEqual(sentTo([KIM]));
      // It began twice.
      expect(paid()).toEqual(["Kim 20", "Kim 20"]);
      expect(await counted()).toMatchObject({ spent: 20, reserved: 0, inDoubt: 0 });
    },
  },
  {
    clause: "entry",
    name: "the grant of a conversation that nobody names is good in its run alone",
    needs: ["grants"],
    async run({ open, paid }) {
      let first: string | undefined;
      const asked = open({
        answer(grant) {
          first = grant;
          return undefined;
        },
      });
      const [waits] = await asked.send({ name: "Ann's", payments: [LEE] });
      expect(waits).toContain("a person must agree first");
      const [other] = await open({ answer: () => first }).send({ name: "Bob's", payments: [LEE] });
      expect(other).toContain("a person must agree first");
      expect(paid()).toEqual([]);
      // A grant of its own is good.
      expect(await open().send({ name: "Cid's", payments: [LEE] })).toEqual(sentTo([LEE]));
    },
  },
];
