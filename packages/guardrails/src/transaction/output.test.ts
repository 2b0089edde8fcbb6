import { expect, test } from "vitest";
import { Outcome, createGuardrails, slotStore } from "../index.ts";
import { endOf, ownLoop } from "../testing/index.ts";

const CARD = "card 4111 1111 1111 1111";

/** A guardrail on what tools return. */
function output(check: (context: { readonly result: unknown }) => unknown, name = "no_cards") {
  return { name, stage: "output", check } as never;
}

const noCards = output(({ result }) => String(result).includes("4111") && "it has a card number");
const masked = output(
  ({ result }) =>
    typeof result === "string" && { replace: result.replaceAll(/\d{4}(?= |$)/g, "****") },
  "masked",
);

test.each(["irreversible", "idempotent", "none", "state", undefined] as const)(
  "the result of a tool that is %s is withheld, and what it did stays",
  async (effect) => {
    const store = slotStore({ sent: 0 });
    const { call, events, guardrails } = ownLoop({
      guardrails: [noCards],
      store,
      ...(effect && { effects: { send: effect } }),
      limits: { mails: { max: 2 } },
      spends: { send: () => ({ mails: 1 }) },
    });
    let sent = 0;
    const handled = await call("send", () => {
      sent += 1;
      return CARD;
    });
    expect(handled).toMatchObject({ status: "executed", output: undefined });
    expect(handled.result).toMatchObject({
      isError: true,
      content:
        "Tool 'send' has run and need not be called again, but its result is withheld: it has a card number",
    });
    expect(sent).toBe(1);
    expect(events.at(-1)).toMatchObject({ attempt_stage: "executed", committed: true });
    expect(await guardrails.usage("mails", { conversationId: "thread-7" })).toMatchObject({
      spent: 1,
    });
    expect(endOf(await call("send", () => "fine"))).toBe("fine");
  },
);

test("a result is replaced, and the next guardrail sees what is left of it", async () => {
  const seen: unknown[] = [];
  const { call } = ownLoop({
    guardrails: [masked, output(({ result }) => void seen.push(result), "watch"), noCards],
  });
  const handled = await call("read", () => CARD);
  expect(handled).toMatchObject({ status: "executed", output: "card **** **** **** ****" });
  expect(handled.result.content).toBe("card **** **** **** ****");
  expect(seen).toEqual(["card **** **** **** ****"]);
});

test("all that one finds in a result is said", async () => {
  const { call } = ownLoop({ guardrails: [output(() => ["it has a card", "it has a name"])] });
  const { result } = await call("read", () => CARD);
  expect(result.content).toMatch(/its result is withheld: it has a card; it has a name$/);
});

test("undefined may stand for a result too", async () => {
  const { call } = ownLoop({ guardrails: [output(() => ({ replace: undefined }))] });
  expect(await call("read", () => CARD)).toMatchObject({ status: "executed", output: undefined });
});

test.each<[string, () => unknown]>([
  [
    "throws",
    () => {
      throw new Error(CARD);
    },
  ],
  ["rejects", async () => Promise.reject(new Error(CARD))],
  ["answers nonsense", () => 7],
  ["asks a person", () => ({ ask: "may I?" })],
])("one that %s withholds the result, closes nothing, and tells the operator", async (_, check) => {
  const told: unknown[] = [];
  const { call, lines } = ownLoop({
    guardrails: [output(check)],
    onGuardrailError: (error, { guardrail }) => void told.push([guardrail, error]),
  });
  const { result } = await call("read", () => CARD);
  expect(result.content).toContain("its result is withheld: A guardrail could not be checked");
  expect(result.content).not.toContain("4111");
  expect(told).toHaveLength(1);
  expect(lines).toContainEqual({
    message: "The result of a call was withheld",
    fields: expect.objectContaining({ tool_name: "read", guardrail: "no_cards" }),
  });
  expect((await call("read", () => CARD)).status).toBe("executed");
});

test("what a failed tool returned is withheld too, and its message is ours", async () => {
  const { call } = ownLoop({ guardrails: [noCards, output(() => undefined, "other")] });
  const failed = { isError: true, content: [{ type: "text", text: CARD }], toString: () => CARD };
  const { result } = await call("read", () => failed);
  expect(result.content).toBe(
    "Tool 'read' failed, and what it returned is withheld: it has a card number",
  );
  const told = await call("read", () => Outcome.error("empty", "there is nothing"));
  expect(told.result.content).toContain("there is nothing");
});

test("guardrails.run ends with the guardrail's name, and says that the tool has run", async () => {
  const guardrails = createGuardrails({ guardrails: [noCards] });
  const run = { tool: "read", generate: () => ({}), execute: () => CARD };
  expect(await guardrails.run(run)).toEqual({
    status: "error",
    error_type: "no_cards",
    error_message: "it has a card number",
    retriable: false,
    metadata: { executed: true },
  });
});

test.each<[object, string]>([
  [{ class: "terminal_guardrail", reason: "missing_credentials" }, "it closes no tool"],
  [{ needs: "args" }, '`needs` is for guardrails of the stage "validate"'],
])("%j is an error", (members, message) => {
  const guardrail = { name: "o", stage: "output", check: () => undefined, ...members };
  expect(() => createGuardrails({ guardrails: [guardrail as never] })).toThrow(message);
});
