import { describe, expect, test } from "vitest";
import { z } from "zod";
import { LABS } from "./testing/every-langchain.ts";
import { attemptsOf, codeOf } from "./testing/read-messages.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const call = (args: string, id: string, name = "supplied") => ({ id, name, args });

describe("tools supplied by other middleware", () => {
  const lab = LABS[0]!;

  test.each([
    ["before", "/n (VAL-002)"],
    ["after", "/n (VAL-002)"],
  ] as const)(
    "%s the contract: cut off, invalid, repaired and valid calls",
    async (place, reported) => {
      const { tool, runs } = spied(lab, "supplied", z.object({ n: z.number() }));
      const supplying = {
        name: "supplying",
        wrapModelCall: async (
          request: { readonly tools: readonly object[] },
          next: (one: object) => unknown,
        ) => next({ ...request, tools: [...request.tools, tool] }),
        wrapToolCall: async (request: object, next: (one: object) => unknown) =>
          next({ ...request, tool }),
      };
      const contract = contractOf(lab);
      const { results } = await runAgent(lab, {
        turns: ['{"n": 1', '{"n": "x"}', "{'n': 2}", '{"n": 3}'].map((args, index) => ({
          calls: [call(args, `call_${index}`)],
        })),
        tools: [spied(lab).tool],
        agent: { middleware: place === "before" ? [supplying, contract] : [contract, supplying] },
      });
      expect(attemptsOf(results)).toEqual(["1/3", "2/3", undefined, undefined]);
      expect(codeOf(results[0])).toBe("VAL-011");
      expect(results[1]?.content).toContain(reported);
      expect(runs).toEqual([{ n: 2 }, { n: 3 }]);
    },
  );
});

// LangChain 1.0 throws before any middleware runs.
describe.each(LABS.filter(({ line }) => line !== "oldest"))(
  "tools that nobody has, on langchain $version",
  (lab) => {
    test("malformed arguments are reported first, and repaired ones still have no tool", async () => {
      const { results } = await runAgent(lab, {
        turns: [{ calls: [call("{", "a")] }, { calls: [call("{'n': 1}", "b")] }],
        tools: [spied(lab).tool],
      });
      expect(results.map(codeOf)).toEqual(["VAL-011", "VAL-012"]);
      expect(results[1]?.content).toContain("create_order");
    });

    test("a new made-up name every time still uses up the attempts", async () => {
      const names = ["constructor", "__proto__", "toString", "other"];
      const { script, results } = await runAgent(lab, {
        turns: names.map((name, index) => ({ calls: [call("{}", `call_${index}`, name)] })),
        tools: [spied(lab).tool],
      });
      expect(script.requests).toHaveLength(3);
      expect(attemptsOf(results)).toEqual(["1/3", "2/3", "3/3"]);
    });
  },
);
