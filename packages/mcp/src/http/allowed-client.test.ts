import { expect, test } from "vitest";
import { refusalOf } from "./allowed-client.ts";

const LOCAL = { host: "127.0.0.1", hosts: [], origins: [] };
const OPEN = { ...LOCAL, host: "0.0.0.0" };

test.each([
  ["the address itself", { host: "127.0.0.1:8787" }, LOCAL],
  ["localhost", { host: "LOCALHOST:8787" }, LOCAL],
  ["IPv6", { host: "[::1]:8787" }, { ...LOCAL, host: "::1" }],
  ["a local page", { host: "localhost", origin: "http://localhost:6274" }, LOCAL],
  ["an allowed name", { host: "box.lan:8787" }, { ...LOCAL, hosts: ["box.lan"] }],
  [
    "an allowed page",
    { host: "localhost", origin: "https://a.example" },
    { ...LOCAL, origins: ["https://a.example"] },
  ],
  ["any name, where everybody may connect", { host: "box.lan" }, OPEN],
  ["a page of the same origin", { host: "box.lan:80", origin: "http://box.lan:80" }, OPEN],
])("%s may connect", (_, headers, allowed) => {
  expect(refusalOf(headers, allowed)).toBeUndefined();
});

test.each([
  ["a rebound name", { host: "evil.example:8787" }, LOCAL],
  ["a name that begins like ours", { host: "127.0.0.1.evil.example" }, LOCAL],
  ["a user that looks like ours", { host: "127.0.0.1@evil.example" }, LOCAL],
  ["no name", {}, LOCAL],
  ["no name at all", { host: "::::" }, LOCAL],
  ["a foreign page", { host: "localhost", origin: "https://evil.example" }, LOCAL],
  ["a page that hides where it is from", { host: "localhost", origin: "null" }, LOCAL],
  [
    "a page that begins like ours",
    { host: "localhost", origin: "http://localhost.evil.example" },
    LOCAL,
  ],
  [
    "a foreign page, where everybody may connect",
    { host: "box.lan", origin: "https://evil.example" },
    OPEN,
  ],
  ["another name than the allowed ones", { host: "evil.example" }, { ...OPEN, hosts: ["box.lan"] }],
])("%s may not connect", (_, headers, allowed) => {
  expect(refusalOf(headers, allowed)).toContain("--allow-");
});
