import { expect, test } from "vitest";
import { refusalBy } from "./allowed-client.ts";

const LOCAL = { host: "127.0.0.1", hosts: [], origins: [] };
const OPEN = { ...LOCAL, host: "0.0.0.0" };

test.each([
  ["the address itself", { host: "127.0.0.1:8787" }, LOCAL],
  ["localhost", { host: "LOCALHOST:8787" }, LOCAL],
  ["IPv6", { host: "[::1]:8787" }, { ...LOCAL, host: "::1" }],
  ["IPv6 at length", { host: "[0:0:0:0:0:0:0:1]" }, LOCAL],
  ["a local page", { host: "localhost", origin: "http://localhost:6274" }, LOCAL],
  ["an allowed name", { host: "box.lan:8787" }, { ...LOCAL, hosts: ["box.lan"] }],
  [
    "an allowed page",
    { host: "localhost", origin: "https://a.example" },
    { ...LOCAL, origins: ["https://a.example"] },
  ],
  ["a name that is allowed with a port", { host: "box.lan:1" }, { ...OPEN, hosts: ["Box.lan:9"] }],
  ["an allowed IPv6", { host: "[fd00::1]:8787" }, { ...OPEN, hosts: ["fd00::1"] }],
  [
    "a page that is allowed as people write it",
    { host: "localhost", origin: "https://a.example" },
    { ...LOCAL, origins: ["https://A.example/"] },
  ],
  ["any address, if other machines may connect", { host: "10.0.0.7:8787" }, OPEN],
  ["any IPv6 address, if other machines may connect", { host: "[fd00::7]:8787" }, OPEN],
  ["any address beside allowed names", { host: "10.0.0.7" }, { ...OPEN, hosts: ["box.lan"] }],
  ["a page of the same address", { host: "10.0.0.7:80", origin: "http://10.0.0.7:80" }, OPEN],
  [
    "an allowed page on an address",
    { host: "10.0.0.7", origin: "https://a.example" },
    { ...OPEN, origins: ["https://a.example"] },
  ],
])("%s may connect", (_, headers, allowed) => {
  expect(refusalBy(allowed)(headers)).toBeUndefined();
});

test.each([
  ["a rebound name", { host: "evil.example:8787" }, LOCAL],
  ["a name that begins like ours", { host: "127.0.0.1.evil.example" }, LOCAL],
  ["a user that looks like ours", { host: "127.0.0.1@evil.example" }, LOCAL],
  ["no name", {}, LOCAL],
  ["a bare port", { host: ":8787" }, LOCAL],
  ["no name at all", { host: "::::" }, LOCAL],
  ["a foreign page", { host: "localhost", origin: "https://evil.example" }, LOCAL],
  ["a page that hides its origin", { host: "localhost", origin: "null" }, LOCAL],
  [
    "a page that begins like ours",
    { host: "localhost", origin: "http://localhost.evil.example" },
    LOCAL,
  ],
  ["a rebound name, if other machines may connect", { host: "evil.example:8787" }, OPEN],
  [
    "a rebound page, if other machines may connect",
    { host: "evil.example:8787", origin: "http://evil.example:8787" },
    OPEN,
  ],
  [
    "a foreign page, if other machines may connect",
    { host: "10.0.0.7", origin: "https://evil.example" },
    OPEN,
  ],
  ["another machine's address on loopback", { host: "10.0.0.7:8787" }, LOCAL],
  ["another name than the allowed ones", { host: "evil.example" }, { ...OPEN, hosts: ["box.lan"] }],
])("%s may not connect", (_, headers, allowed) => {
  expect(refusalBy(allowed)(headers)).toContain("--allow-");
});
