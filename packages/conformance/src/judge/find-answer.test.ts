import { describe, expect, test } from "vitest";
import type { PlayedCall, SeenEntry } from "../shared/index.ts";
import { findAnswers } from "./find-answer.ts";

const call = (id: string, tool = "get_weather"): PlayedCall => ({
  id,
  call: { tool, arguments: "{}", expect: "refused" },
});
const calls = (...ids: readonly string[]): SeenEntry => ({
  kind: "calls",
  calls: ids.map((id) => ({ id, name: "get_weather" })),
});
const answer = (id: string, text: string): SeenEntry => ({ kind: "answer", id, text });
const user: SeenEntry = { kind: "text", role: "user", text: "Hi" };

describe("the answer to a call", () => {
  const rows: readonly (readonly [string, readonly SeenEntry[], readonly PlayedCall[], object])[] =
    [
      [
        "has its id",
        [user, calls("a", "b"), answer("b", "two"), answer("a", "one")],
        [call("a"), call("b")],
        [{ text: "one", count: 1 }, { text: "two" }],
      ],
      [
        "is that of the newest message if ids begin anew",
        [user, calls("a"), answer("a", "old"), calls("a"), answer("a", "new")],
        [call("a")],
        [{ text: "new", count: 1 }],
      ],
      [
        "is found by place if the program gave the calls ids of its own",
        [user, calls("x", "y"), answer("x", "one"), answer("y", "two")],
        [call(""), call("")],
        [{ text: "one" }, { text: "two" }],
      ],
      [
        "is found by name if the format has no ids",
        [
          user,
          calls("", ""),
          { kind: "answer", id: "", name: "search", text: "two" },
          { kind: "answer", id: "", name: "get_weather", text: "one" },
        ],
        [call("a"), call("b", "search")],
        [{ text: "one" }, { text: "two" }],
      ],
      [
        "is found if each call is a message of its own",
        [user, calls("a"), answer("a", "one"), calls("b"), answer("b", "two")],
        [call("a"), call("b")],
        [{ text: "one" }, { text: "two" }],
      ],
      [
        "is found if the server keeps the conversation",
        [answer("a", "one")],
        [call("a")],
        [{ text: "one" }],
      ],
      [
        "counts how many there are",
        [calls("a"), answer("a", "one"), answer("a", "two")],
        [call("a")],
        [{ count: 2 }],
      ],
      [
        "is a message if the call was left out of the conversation",
        [user, { kind: "text", role: "user", text: "That call was bad." }],
        [call("a")],
        [{ text: "That call was bad.", isMessage: true }],
      ],
      ["is not the prompt", [user], [call("a")], [undefined]],
      ["is missing if the call is there without one", [user, calls("a")], [call("a")], [undefined]],
    ];

  test.each(rows)("%s", (_, history, made, found) => {
    expect(findAnswers(history, made)).toMatchObject(found);
  });
});
