import { expect, test } from "vitest";
import { contractFrom } from "./contract-from.ts";
import { createContract } from "./create-contract.ts";
import { createVerdictBook } from "./verdict-book.ts";

const SAVE = { name: "save", inputSchema: { type: "object", required: ["file"] } } as const;
const HERE = { conversationId: "thread-7", tools: [SAVE] };
const callOf = (id: string, args: unknown) => ({ id, name: "save", arguments: args });

test("a message is judged once, and each verdict is found by the id of its call", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  const admissions = await book.judge([callOf("a", {}), callOf("b", { file: "x" })], HERE);
  expect(admissions.map(({ status }) => status)).toEqual(["rejected", "admitted"]);
  expect([book.of("a"), book.of("b")]).toEqual(admissions);
  expect(book.of("c")).toBeUndefined();
});

test("the oldest verdicts are forgotten, and a new one replaces that of the same id", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  await book.judge([callOf("a", {})], HERE);
  await book.judge([callOf("a", { file: "x" })], HERE);
  expect(book.of("a")?.status).toBe("admitted");
  const many = Array.from({ length: 1_000 }, (_, index) => callOf(`n${index}`, { file: "x" }));
  await book.judge(many, HERE);
  expect(book.of("a")).toBeUndefined();
  expect(book.of("n0")?.status).toBe("admitted");
});

test("who calls is known to the rules of a message too", async () => {
  const seen: unknown[] = [];
  const rules = {
    save: [(_: unknown, { context }: { context?: unknown }) => (seen.push(context), [])],
  };
  const options = { context: () => ({ user: "u-17" }), rules, logger: false };
  const book = createVerdictBook(contractFrom("withContract", options, {}));
  await book.judge([callOf("a", { file: "x" })], HERE);
  expect(seen).toEqual([{ user: "u-17" }]);
});
