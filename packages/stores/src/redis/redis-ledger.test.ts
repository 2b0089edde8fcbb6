import { createHash } from "node:crypto";
import { ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { redisLedger } from "./index.ts";
import { END, OPEN, RESERVE, TOTALS } from "./ledger-lua.ts";

const claims = [
  { limit: "budget", account: '["budget","user","u-17"]', amount: 0.5, max: 100, after: 99.5 },
  { limit: "mails", account: '["mails","global"]', amount: 1, max: 3 },
];
const entry = {
  id: "e1",
  claims,
  state: "reserved",
  reservedAt: 7,
  facts: { tool: "pay", note: "a|b\n" },
} as const;

/** A server that answers with these replies, and what it was sent. */
function serverOf(...replies: readonly unknown[]) {
  const left = [...replies];
  const sent: (readonly string[])[] = [];
  return {
    sent,
    async sendCommand(...command: string[]) {
      sent.push(command);
      return left.shift();
    },
  };
}

describe("the scripts", () => {
  test.each([RESERVE, END, TOTALS, OPEN])(
    "have the SHA-1 of their text: $sha1",
    ({ text, sha1 }) => {
      expect(createHash("sha1").update(text).digest("hex")).toBe(sha1);
    },
  );

  test("are sent by their text to a server that does not know them", async () => {
    const sent: unknown[] = [];
    const ledger = redisLedger({
      async sendCommand(command) {
        sent.push(command);
        if (command === "EVALSHA") throw new Error("NOSCRIPT No matching script");
        return ["0", "0", "0"];
      },
    });
    await ledger.totals({ account: "a" });
    expect(sent).toEqual(["EVALSHA", "EVAL"]);
  });
});

describe("redisLedger, by the replies", () => {
  test("each step is one command, on keys of one node that name neither users nor limits", async () => {
    const server = serverOf([], [1]);
    const ledger = redisLedger({ ...server, prefix: "shop:" });
    expect(await ledger.reserve(entry)).toEqual([]);
    await ledger.end(entry, { state: "spent", at: 9, amounts: { budget: 0.25 } });
    const [reserve = [], end = []] = server.sent;
    const keys = reserve.slice(3, 9);
    expect(reserve.slice(0, 3)).toEqual(["EVALSHA", RESERVE.sha1, "6"]);
    expect(
      keys.every((key) =>
        /^\{shop:ledger\}:(entries|fading|(account|spent):[0-9a-f]{32})$/.test(key),
      ),
    ).toBe(true);
    expect(new Set(keys).size).toBe(6);
    const body = JSON.stringify({ claims, reservedAt: 7, facts: entry.facts });
    expect(reserve.slice(9)).toEqual(["e1", body, "7", "0.5", "100", "99.5", "1", "3", ""]);
    expect(end.slice(0, 3)).toEqual(["EVALSHA", END.sha1, "6"]);
    expect(end.slice(3, 9)).toEqual(keys);
    expect(end.slice(9)).toEqual(["e1", "spent", "9", "0", "0.25", "1", "1", "0"]);
  });

  test.each([
    ["strings", (reply: readonly string[]) => reply],
    ["Buffers", (reply: readonly string[]) => reply.map((value) => Buffer.from(value))],
  ])("replies may hold %s", async (_, as) => {
    const short = as(["2", "1", "0.5", "2"]);
    const stored = JSON.stringify({ claims, reservedAt: 7, facts: entry.facts });
    const open = as(["e2", `d|9|${stored}`, "e1", `r||${stored}`]);
    const ledger = redisLedger(serverOf(short, as(["1", "2", "3.5"]), open));
    expect(await ledger.reserve(entry)).toEqual([
      { limit: "mails", totals: { spent: 1, reserved: 0.5, inDoubt: 2 } },
    ]);
    expect(await ledger.totals({ account: "a" })).toEqual({ spent: 1, reserved: 2, inDoubt: 3.5 });
    expect(await ledger.open()).toEqual([
      { ...entry, id: "e2", state: "in-doubt", endedAt: 9 },
      entry,
    ]);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no list", "QUEUED"],
    ["an error that the client resolves to", new Error("READONLY")],
    ["a list of no numbers", ["a"]],
  ])("a reply that is %s is not taken for done", async (_, reply) => {
    await expect(redisLedger(serverOf(reply)).reserve(entry)).rejects.toThrow("A reply must");
    await expect(redisLedger(serverOf(reply)).totals({ account: "a" })).rejects.toThrow(
      "A reply must",
    );
  });

  test.each<[unknown, string]>([
    [{}, "`sendCommand` must be a function, such as (...args) => client.sendCommand(args)."],
    [{ sendCommand: () => undefined, prefix: 1 }, "`prefix` must be a string."],
  ])("options %j are an error at once", (options, message) => {
    expect(() => redisLedger(options as never)).toThrow(
      new ToolContractError(`redisLedger: ${message}`),
    );
  });
});
