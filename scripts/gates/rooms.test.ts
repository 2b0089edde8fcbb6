import { expect, test } from "vitest";
import { roomsOf } from "./rooms.ts";

test.each([
  [
    "a room is the first folder in src",
    ["packages/mcp/src/http/read/body.ts", "packages/mcp/src/http/grants.test.ts"],
    ["packages/mcp/src/http/"],
  ],
  [
    "what lies in src reaches its package",
    ["packages/core/src/options.ts"],
    ["packages/core/src/"],
  ],
  [
    "elsewhere it is the folder",
    ["docs/links.test.ts", "bench/soak/run.ts"],
    ["bench/soak/", "docs/"],
  ],
  ["the root is not a room", ["README.md"], []],
])("%s", (_, paths, rooms) => {
  expect(roomsOf(paths)).toEqual(rooms);
});
