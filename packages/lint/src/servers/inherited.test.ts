import { DEFAULT_INHERITED_ENV_VARS } from "@modelcontextprotocol/client/stdio";
import { expect, test } from "vitest";
import { inheritedFrom } from "./index.ts";

test("a server of a file inherits what programs need, and no token", () => {
  const environment = {
    PATH: "/bin",
    Path: "C:",
    HOME: "/h",
    TERM: "()",
    DEPLOY_TOKEN: "t",
    USER: undefined,
  };
  expect(inheritedFrom(environment)).toEqual({ PATH: "/bin", Path: "C:", HOME: "/h" });
});

test("no less than of the official SDK", () => {
  const names = Object.fromEntries(DEFAULT_INHERITED_ENV_VARS.map((name) => [name, "x"]));
  expect(inheritedFrom(names)).toEqual(names);
});
