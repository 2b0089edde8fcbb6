import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Admission, Admitted, Refused } from "../call/index.ts";
import { countAttempts } from "../attempts/index.ts";
import { createContract } from "./create-contract.ts";

const TRIP = {
  name: "book",
  inputSchema: {
    type: "object",
    properties: { from: { type: "string" }, to: { type: "string" }, seats: { type: "integer" } },
    required: ["from", "to"],
  },
} as const;
const HERE = { conversationId: "thread-7", tools: [TRIP] };
const ARGS = { from: "2026-05-02", to: "2026-05-01" };
const zodTrip = z
  .object({ from: z.string(), to: z.string() })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "from must be before to" });
const valibotTrip = v.object({ to: v.pipe(v.string(), v.minLength(20)) });

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
};

let serial = 0;

function admittedOf(admission: Admission): Admitted {
  if (admission.status !== "admitted") throw new Error(admission.result.content);
  return admission;
}

/** A conversation whose host refuses what the contract has admitted. */
function conversation() {
  const contract = createContract({ logger: false });
  return {
    contract,
    refused: async (thrown: unknown, args: unknown = ARGS): Promise<Refused> => {
      serial += 1;
      const call = { id: `call_${serial}`, name: "book", arguments: args };
      return admittedOf(await contract.admit(call, HERE)).refusedByHost(thrown);
    },
  };
}

const errorsOf = ({ errors }: Refused): readonly string[] =>
  errors.map(({ errorCode, fieldPath, message }) => `${errorCode} ${fieldPath}: ${message}`);

describe("a call that the host refuses after it was admitted", () => {
  test.each<[string, unknown, readonly string[]]>([
    ["zod", thrownBy(() => zodTrip.parse(ARGS)), ["VAL-016 /to: from must be before to"]],
    [
      "valibot",
      thrownBy(() => v.parse(valibotTrip, ARGS)),
      ["VAL-009 /to: String length 10 is below minimum 20"],
    ],
    [
      "zod, of what it made of an argument that the tool's schema accepts",
      thrownBy(() => z.object({ from: z.number() }).parse(ARGS)),
      ["VAL-010 /from: Invalid format"],
    ],
    ["an error", new Error("No such city\n at secret.ts:1"), ["VAL-016 : No such city"]],
    ["a string", "closed on Sunday", ["VAL-016 : closed on Sunday"]],
  ])("reads what it says: %s", async (_, thrown, expected) => {
    const answer = await conversation().refused(thrown);
    expect(answer.status).toBe("rejected");
    expect(errorsOf(answer)).toEqual(expected);
  });

  test.each([undefined, new Error(""), new Proxy({}, { get: () => undefined })])(
    "an error that says nothing is a refusal all the same (%#)",
    async (thrown) => {
      const answer = await conversation().refused(thrown);
      expect(answer).toMatchObject({ status: "rejected", errors: [{ errorCode: "VAL-016" }] });
    },
  );

  test("counts as an attempt, and the last one is final", async () => {
    const { refused, contract } = conversation();
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) answers.push(await refused("no seat is left"));
    expect(answers.map(({ status, attempt }) => [status, attempt])).toEqual([
      ["rejected", 1],
      ["rejected", 2],
      ["blocked", 3],
    ]);
    expect(contract.metrics()).toMatchObject({ calls: 3, rejected: 2, blocked: 1 });
  });

  test("goes on from attempts that came before, though its admission had reset them", async () => {
    const { refused, contract } = conversation();
    const invalid = { id: "bad", name: "book", arguments: {} };
    expect(await contract.admit(invalid, HERE)).toMatchObject({ attempt: 1 });
    expect(await refused("no seat is left")).toMatchObject({ attempt: 2 });
  });

  test("counts from a history too", async () => {
    const contract = createContract({ logger: false });
    const attempts = { ...countAttempts([], "book", "run"), failed: 1 };
    const call = { id: "a", name: "book", arguments: ARGS };
    const admission = admittedOf(await contract.admit(call, { ...HERE, attempts }));
    expect(await admission.refusedByHost("no")).toMatchObject({ attempt: 2 });
  });

  test("masks secrets in what the host says", async () => {
    const key = `sk-${"a1B2c3D4".repeat(5)}`;
    const { result } = await conversation().refused(new Error(`The key ${key} is not valid`));
    expect(result.content).not.toContain(key);
  });

  test("an aborted call counts as never made", async () => {
    const contract = createContract({ logger: false });
    const aborter = new AbortController();
    const context = { ...HERE, signal: aborter.signal };
    const call = { id: "a", name: "book", arguments: ARGS };
    const admission = admittedOf(await contract.admit(call, context));
    aborter.abort(new Error("stop"));
    await expect(admission.refusedByHost("no")).rejects.toThrow("stop");
  });
});
