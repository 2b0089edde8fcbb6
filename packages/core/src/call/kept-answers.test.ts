import { describe, expect, test } from "vitest";
import { createKeptAnswers } from "./kept-answers.ts";

const conversationOf = (element: string): string => element.slice(0, element.indexOf(" "));

describe("answers that are kept", () => {
  test("are a thousand for each conversation, and the oldest is dropped first", () => {
    const answers = createKeptAnswers<number>(conversationOf);
    for (const conversation of ["a", "b"])
      for (let index = 0; index <= 1_000; index += 1)
        answers.set(`${conversation} ${index}`, index, 10);
    for (const conversation of ["a", "b"]) {
      expect(answers.get(`${conversation} 0`)).toBeUndefined();
      expect(answers.get(`${conversation} 1`)).toBe(1);
      expect(answers.get(`${conversation} 1000`)).toBe(1_000);
    }
  });

  test("take at most 64 MB: those of the conversation that was used least lately are dropped", () => {
    const answers = createKeptAnswers<number>(conversationOf);
    const long = 65_000;
    for (let index = 0; index < 300; index += 1) {
      answers.set(`a ${index}`, index, long);
      answers.set(`b ${index}`, index, long);
    }
    const keptOf = (conversation: string): number =>
      Array.from({ length: 300 }, (_, index) => answers.get(`${conversation} ${index}`)).filter(
        (answer) => answer !== undefined,
      ).length;
    const all = keptOf("a") + keptOf("b");
    expect(all * long).toBeLessThan(32 * 1_024 * 1_024);
    expect(all * long).toBeGreaterThan(31 * 1_024 * 1_024);
    expect(answers.get("a 299")).toBe(299);
    expect(answers.get("b 299")).toBe(299);
  });

  test("make room again once they are taken, and an answer replaces the one before", () => {
    const answers = createKeptAnswers<string>(conversationOf);
    for (let index = 0; index < 5_000; index += 1) {
      answers.set("a 1", "first", 30_000_000);
      answers.set("a 1", "second", 1);
      expect(answers.get("a 1")).toBe("second");
      answers.take("a 1");
      expect(answers.get("a 1")).toBeUndefined();
    }
    answers.take("a 2");
    answers.set("b 1", "kept", 30_000_000);
    expect(answers.get("b 1")).toBe("kept");
  });
});
