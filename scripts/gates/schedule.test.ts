import { describe, expect, test } from "vitest";
import type { Gate, Tally } from "./run.ts";
import { runGates, shardOf } from "./schedule.ts";

const PASSED: Tally = { passed: 1, failed: 0 };
const FAILED: Tally = { passed: 0, failed: 1 };

/** Starts gates that end only when the test says so. */
function startGates(gates: readonly Gate[], atOnce: number) {
  const started: string[] = [];
  const printed: string[] = [];
  const ends = new Map<string, (tally: Tally) => void>();
  const all = runGates(gates, {
    atOnce,
    print: (text) => printed.push(text),
    run: async ({ name }) =>
      new Promise((resolve) => {
        started.push(name);
        ends.set(name, resolve);
      }),
  });
  return {
    started,
    printed,
    end: async (name: string, tally = PASSED) => {
      ends.get(name)?.(tally);
      // What follows from it is done in microtasks.
      await new Promise(setImmediate);
    },
    tallies: async () => [...(await all)].map(([{ name }, tally]) => [name, tally] as const),
  };
}

describe("gates", () => {
  test("so many run at once, started in order", async () => {
    const { started, end, tallies } = startGates([{ name: "a" }, { name: "b" }, { name: "c" }], 2);
    expect(started).toEqual(["a", "b"]);
    await end("b");
    expect(started).toEqual(["a", "b", "c"]);
    await end("c", FAILED);
    await end("a");
    expect(await tallies()).toEqual([
      ["a", PASSED],
      ["b", PASSED],
      ["c", FAILED],
    ]);
  });

  test("one that needs another starts after it, and others meanwhile", async () => {
    const { started, end, tallies } = startGates(
      [{ name: "build" }, { name: "pack", needs: "build" }, { name: "demo" }],
      2,
    );
    expect(started).toEqual(["build", "demo"]);
    await end("demo");
    expect(started).toEqual(["build", "demo"]);
    await end("build");
    await end("pack");
    expect(await tallies()).toEqual([
      ["build", PASSED],
      ["pack", PASSED],
      ["demo", PASSED],
    ]);
  });

  test("without what it needs, a gate is skipped, and so is what needs that", async () => {
    const { started, end, tallies } = startGates(
      [{ name: "build" }, { name: "pack", needs: "build" }, { name: "lint", needs: "pack" }],
      2,
    );
    await end("build", FAILED);
    const skipped = { passed: 0, failed: 0, skipped: true };
    expect(await tallies()).toEqual([
      ["build", FAILED],
      ["pack", skipped],
      ["lint", skipped],
    ]);
    expect(started).toEqual(["build"]);
  });

  test("gates that need each other are an error", async () => {
    const { tallies } = startGates(
      [
        { name: "a", needs: "b" },
        { name: "b", needs: "a" },
      ],
      2,
    );
    await expect(tallies()).rejects.toThrow("No gate can start");
  });

  test("output is printed whole when a gate ends, and that of a streamed one as it comes", async () => {
    const { printed, end, tallies } = startGates(
      [{ name: "streamed", isStreamed: true }, { name: "a" }, { name: "b" }],
      3,
    );
    expect(printed).toEqual(["\n── streamed"]);
    await end("streamed");
    await end("b", { ...PASSED, output: "of b\n" });
    await end("a", { ...PASSED, output: "of a\nin two lines\n" });
    await tallies();
    expect(printed).toEqual(["\n── streamed", "\n── b\nof b", "\n── a\nof a\nin two lines"]);
  });
});

describe("shards", () => {
  const GATES: readonly Gate[] = [
    { name: "site" },
    { name: "lint" },
    { name: "tests", isSplit: true },
    { name: "tests of the site", needs: "site" },
    { name: "build" },
    { name: "tarballs", needs: "build" },
  ];

  test.each([
    [undefined, ["site", "lint", "tests", "tests of the site", "build", "tarballs"]],
    ["1/1", ["site", "lint", "tests", "tests of the site", "build", "tarballs"]],
    ["1/2", ["site", "tests", "tests of the site", "build", "tarballs"]],
    ["2/2", ["lint", "tests"]],
    ["3/3", ["tests", "build", "tarballs"]],
    ["4/4", ["tests"]],
  ])("%s", (shard, names) => {
    expect(shardOf(GATES, shard).map(({ name }) => name)).toEqual(names);
  });

  test.each(["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"])("%j is an error", (shard) => {
    expect(() => shardOf(GATES, shard)).toThrow(`--shard is "${shard}"`);
  });
});
