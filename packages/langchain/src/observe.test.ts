import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const SCHEMA = {
  type: "object",
  properties: { seats: { type: "number" } },
  required: ["seats"],
} as const;

const textOf = (content: unknown) =>
  typeof content === "string" ? content : JSON.stringify(content);

const call = (id: string, args: string, name = "book") => ({ calls: [{ id, name, args }] });

describe.each(LABS)("LangChain $version, mode observe", (lab) => {
  test.each([
    [
      "calls that it answers itself",
      [call("a", '{"seats":"two"}'), call("c", "{}", "bok"), call("d", '{"seats":1}')],
      { "VAL-002": 1, "VAL-012": 1 },
    ],
    ["malformed JSON", [call("a", '{"seats":2')], { "VAL-011": 1 }],
    ["what only a rule refuses", [call("a", '{"seats":99}')], { "VAL-016": 1 }],
  ])("the model reads what it reads without a contract: %s", async (_, turns, byCode) => {
    const book = spied(lab, "book", { ...SCHEMA });
    const texts = ({ messages }: Awaited<ReturnType<typeof runAgent>>) =>
      messages.map(({ content, type }) => [type, textOf(content).replaceAll(/\n +at .*/g, "")]);
    const bare = await runAgent(lab, { turns, tools: [book.tool], agent: { middleware: [] } });
    const rule = ({ seats }: { seats: number }) => (seats > 80 ? [{ message: "too many" }] : []);
    const contract = createContract({ mode: "observe", logger: false, rules: { book: [rule] } });
    const agent = { middleware: [contractOf(lab, { contract })] };
    const observed = await runAgent(lab, { turns, tools: [book.tool], agent });
    expect(texts(observed)).toEqual(texts(bare));
    expect(contract.metrics()).toMatchObject({ calls: turns.length, byCode });
  });
});
