import { expect, test } from "vitest";
import { nameTools } from "./tool-names.ts";

const LONG = "a".repeat(70);

test.each<[string, readonly (readonly [server: string, tool: string])[], readonly string[]]>([
  [
    "stay as their servers say",
    [
      ["files", "read"],
      ["web", "open-page"],
    ],
    ["read", "open-page"],
  ],
  [
    "have the server before them if two servers have them, and only then",
    [
      ["files", "read"],
      ["web", "read"],
      ["web", "open"],
    ],
    ["files__read", "web__read", "open"],
  ],
  [
    "have the server before them if the report tool has them",
    [["a", "agent__final_report"]],
    ["a__agent__final_report"],
  ],
  [
    "have only characters that every provider accepts",
    [
      ["my files", "notes.read/all"],
      ["web", "größe"],
    ],
    ["notes_read_all", "gr__e"],
  ],
  [
    "collide after that too",
    [
      ["my files", "a.b"],
      ["web", "a/b"],
    ],
    ["my_files__a_b", "web__a_b"],
  ],
  ["have at most 64 characters", [["files", LONG]], ["a".repeat(64)]],
  [
    "of 64 characters have a number at their end if they are the same",
    [
      [LONG, "read"],
      [`${LONG}b`, "read"],
    ],
    ["a".repeat(64), `${"a".repeat(62)}_2`],
  ],
  [
    "never take the name that another tool keeps",
    [
      ["a", "read"],
      ["b", "read"],
      ["c", "a__read"],
    ],
    ["a__read_2", "b__read", "a__read"],
  ],
  [
    "of one server that lists a tool twice are two",
    [
      ["a", "read"],
      ["a", "read"],
    ],
    ["a__read", "a__read_2"],
  ],
  ["are never empty", [["a", "💾"]], ["_"]],
])("names %s", (_, given, expected) => {
  const places = given.map(([server, tool]) => ({ server, tool }));
  const named = nameTools(places);
  expect(places.map((place) => [...named].find(([, one]) => one === place)?.[0])).toEqual(expected);
});
