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

test("with a history the attempts of each call are counted from it", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  const [first] = await book.judge([callOf("a", {})], { ...HERE, turnId: "1", turns: [] });
  expect(first).toMatchObject({ status: "rejected", attempt: 1 });
  const turn = (id: string) => {
    const marker = book.markerOf(id);
    const result = { toolCallId: id, isError: true, content: "", ...(marker && { marker }) };
    return { calls: [callOf(id, {})], results: [result] };
  };
  const context = { ...HERE, turnId: "2", turns: [turn("a")], finishReason: "length" };
  const [again, cut] = await book.judge([callOf("b", {}), callOf("c", '{"fi')], context);
  expect(again).toMatchObject({ status: "rejected", attempt: 2 });
  expect(again?.status === "rejected" && again.errors[0]?.errorCode).toBe("VAL-001");
  expect(cut?.status === "rejected" && cut.errors[0]?.errorCode).toBe("VAL-011");
  const [last] = await book.judge([callOf("d", {})], {
    ...HERE,
    turnId: "3",
    turns: [turn("a"), turn("b")],
  });
  expect(last).toMatchObject({ status: "blocked" });
});

test("it runs an admitted call, and keeps how each call ended", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  const calls = ["ran", "threw", "taken-back"].map((id) => callOf(id, { file: "x" }));
  await book.judge([...calls, callOf("refused", {})], HERE);
  expect(book.markerOf("ran")).toBeUndefined();
  expect(await book.run("ran", async () => ({ saved: 1 }))).toEqual({
    isAnswer: false,
    output: { saved: 1 },
  });
  const thrown = new Error("disk full");
  const failing = async (): Promise<never> => {
    throw thrown;
  };
  await expect(book.run("threw", failing)).rejects.toBe(thrown);
  const refused = await book.run("refused", failing);
  expect(refused).toMatchObject({ isAnswer: true, output: expect.stringContaining("VAL-001") });
  expect(await book.refusedByHost("taken-back", new Error("no such file"))).toContain(
    "no such file",
  );
  const ends = ["ran", "threw", "refused", "taken-back"].map((id) => {
    const marker = book.markerOf(id);
    return [marker?.status, marker?.failed];
  });
  expect(ends).toEqual([
    ["executed", undefined],
    ["executed", true],
    ["rejected", undefined],
    ["rejected", undefined],
  ]);
});

test("the name that the model wrote is kept, and a call that is not in the book is an error", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  await book.judge([{ id: "a", name: "save.file", arguments: {} }], HERE);
  expect([book.nameOf("a"), book.nameOf("b")]).toEqual(["save.file", undefined]);
  await expect(book.run("b", () => 1)).rejects.toThrow("Pass its message to judge() first");
  await expect(book.refusedByHost("a", undefined)).rejects.toThrow("was not admitted");
});

test("a call with the id of one that has ended has not ended", async () => {
  const book = createVerdictBook(createContract({ logger: false }));
  await book.judge([callOf("a", { file: "x" })], HERE);
  await book.run("a", () => "saved");
  expect(book.markerOf("a")?.status).toBe("executed");
  await book.judge([callOf("a", { file: "y" })], HERE);
  expect(book.markerOf("a")).toBeUndefined();
});
