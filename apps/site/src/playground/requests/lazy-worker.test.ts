import { describe, expect, test } from "vitest";
import { scriptedWorkers } from "../../testing/scripted-worker.ts";
import { lazyWorker } from "./lazy-worker.ts";

function scripted() {
  const { workers, start } = scriptedWorkers();
  const codes: unknown[] = [];
  const worker = lazyWorker<string, string>(
    (code) => {
      codes.push(code);
      return start();
    },
    (reply) => {
      if (typeof reply !== "string") throw new TypeError("not a string");
      return reply;
    },
  );
  return { worker, workers, codes };
}

/** What becomes of a request: its reply, or the name of the error and its message. */
async function endOf(asked: Promise<string>): Promise<string> {
  return asked.catch(String);
}

test("the worker starts with the first request, and takes the next one", async () => {
  const { worker, workers } = scripted();
  expect(workers).toHaveLength(0);
  const [one, two] = [worker.ask("one"), worker.ask("two")];
  workers[0]?.answer("2");
  workers[0]?.answer("1", 0);
  expect(workers.map(({ requests }) => requests)).toEqual([["one", "two"]]);
  expect(await Promise.all([one, two])).toEqual(["1", "2"]);
});

test("a worker says when it begins", async () => {
  const { worker, workers } = scripted();
  const begun: string[] = [];
  const one = worker.ask("one", { onBegun: () => begun.push("one") });
  const two = worker.ask("two", { onBegun: () => begun.push("two") });
  workers[0]?.begin(1);
  expect(begun).toEqual(["two"]);
  workers[0]?.answer("2");
  workers[0]?.answer("1", 0);
  expect(await Promise.all([one, two])).toEqual(["1", "2"]);
});

test("other code replaces the worker", async () => {
  const { worker, workers, codes } = scripted();
  const asked = [
    worker.ask("one"),
    worker.ask("two", { code: "z.string()" }),
    worker.ask("three", { code: "z.string()" }),
    worker.ask("four", { code: "z.number()" }),
  ].map(endOf);
  workers[2]?.answer("4");
  const ended = "AbortError: The worker was ended.";
  expect(await Promise.all(asked)).toEqual([ended, ended, ended, "4"]);
  expect(workers.map(({ requests }) => requests)).toEqual([["one"], ["two", "three"], ["four"]]);
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true, false]);
  expect(codes).toEqual([undefined, "z.string()", "z.number()"]);
});

test("what an ended worker still sends is ignored", async () => {
  const { worker, workers } = scripted();
  const one = endOf(worker.ask("one"));
  worker.end();
  expect(workers[0]?.isTerminated).toBe(true);
  const two = endOf(worker.ask("two"));
  workers[0]?.answer("late");
  expect(workers[0]?.fail("late")).toBe(false);
  workers[1]?.answer("2");
  expect(await Promise.all([one, two])).toEqual(["AbortError: The worker was ended.", "2"]);
});

test.each([
  ["Uncaught Error: out of memory", "Error: out of memory"],
  ["", "the worker could not be started"],
  [undefined, "the worker could not be started"],
])(
  "a worker that fails with %j has ended, and the next request starts another",
  async (message, reason) => {
    const { worker, workers } = scripted();
    const one = endOf(worker.ask("one"));
    expect(workers[0]?.fail(message)).toBe(false);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(await one).toBe(`WorkerFailedError: ${reason}`);
    const two = endOf(worker.ask("two"));
    expect(workers[1]?.requests).toEqual(["two"]);
    workers[1]?.answer("2");
    expect(await two).toBe("2");
  },
);

describe("a worker that sends what it was not asked for is ended", () => {
  test.each<[sent: string, message: unknown]>([
    ["a reply without a number", "1"],
    ["nothing", undefined],
    ["null", null],
    ["the number of no request", { id: 99, reply: "1" }],
    ["a number that is a string", { id: "1", reply: "1" }],
    ["a reply that is none", { id: 1, reply: { __v_isVNode: true } }],
    ["more fields", { id: 1, reply: "1", more: true }],
    ["a beginning of nothing", { id: 99, begun: true }],
    ["a beginning that is none", { id: 1, begun: "yes" }],
  ])("%s", async (_, message) => {
    const { worker, workers } = scripted();
    const one = endOf(worker.ask("one"));
    workers[0]?.send(message);
    workers[0]?.answer("1");
    expect(await one).toMatch(/^UnaskedError/);
    expect(workers[0]?.isTerminated).toBe(true);
    const two = endOf(worker.ask("two"));
    workers[1]?.answer("2");
    expect(await two).toBe("2");
  });

  test("a second beginning, a second reply", async () => {
    const { worker, workers } = scripted();
    const one = endOf(worker.ask("one"));
    workers[0]?.begin();
    workers[0]?.begin();
    expect(await one).toMatch(/^UnaskedError/);
    const two = endOf(worker.ask("two"));
    workers[1]?.answer("2");
    workers[1]?.answer("forged");
    expect(await two).toBe("2");
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });
});
