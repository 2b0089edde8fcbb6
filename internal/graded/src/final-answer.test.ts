import { oneInThree } from "@toolcontract/case-table/whole";
import { SCENARIOS } from "@toolcontract/conformance/adapter";
import { describe, expect, test } from "vitest";
import { play } from "./grade.ts";
import { SUBJECTS } from "./subjects.ts";
import { lossesOf } from "./table.ts";

const scenarios = SCENARIOS.filter(({ answer }) => answer !== undefined);
const RUN_ENDS = "answer-fits 6, answer-told 7";
// A bare JSON Schema validates nothing: what is JSON is taken.
const TAKES_ANY = "answer-fits 7, answer-told 3";
// Its client repeats the request by itself if the text is not JSON.
const ASKS_AGAIN = "answer-fits 3, answer-told 7";

const LOSSES: Readonly<Record<string, string>> = {
  "ai-sdk bare": TAKES_ANY,
  "ai-sdk zod": RUN_ENDS,
  "ai-sdk contract": "nothing",
  "ai-sdk-6 bare": TAKES_ANY,
  "ai-sdk-6 zod": RUN_ENDS,
  "ai-sdk-6 contract": "nothing",
  "langchain bare": ASKS_AGAIN,
  "langchain zod": ASKS_AGAIN,
  "langchain contract": "answer-told 3",
  "openai-agents bare": TAKES_ANY,
  "openai-agents zod": RUN_ENDS,
  "openai-agents contract": "nothing",
  "mastra bare": RUN_ENDS,
  "mastra zod": RUN_ENDS,
  // Mastra takes the limits out of the schema that the model gets, and the adapter sees no other.
  "mastra contract": "answer-fits 2, answer-told 4",
  "own-loop contract": "nothing",
};

describe("the final answer of the graded programs", () => {
  const programs = SUBJECTS.filter(({ answers }) => answers).flatMap((subject) =>
    subject.kinds.map((kind) => ({ subject, kind, name: `${subject.framework} ${kind}` })),
  );

  const ours = programs.filter(({ kind }) => kind === "contract");
  const others = programs.filter(({ kind }) => kind !== "contract");

  test.each([...ours, ...oneInThree(others)])(
    "$name loses what the page says",
    async ({ subject, kind, name }) => {
      const { checks } = await play(subject, kind, false, scenarios);
      expect(checks).toHaveLength(16);
      expect(checks.every(({ level }) => level === "L5")).toBe(true);
      expect(lossesOf(checks)).toBe(LOSSES[name]);
    },
  );

  test("a program that takes no schema of one is not graded", async () => {
    const [subject] = SUBJECTS.filter(({ framework }) => framework === "langgraph");
    const { checks } = await play(subject!, "contract", false, scenarios);
    expect(checks).toEqual([]);
  });
});
