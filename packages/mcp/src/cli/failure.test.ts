import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import { explainFailure, InvalidConfig, UnknownFlag, UsageError } from "./failure.ts";

test.each([
  [
    "an unknown flag",
    new UnknownFlag("--max-attemps"),
    4,
    "there is no option --max-attemps; did you mean --max-attempts?",
  ],
  ["a wrong value", new UsageError("--mode must be x"), 4, "--mode must be x (see proxy --help)"],
  ["a wrong file", new InvalidConfig("a.yml:1:1 is wrong"), 4, "a.yml:1:1 is wrong"],
  ["a wrong option", new ToolContractError("pass another"), 4, "pass another"],
  [
    "our own mistake, without its message",
    new TypeError("sk-secret"),
    1,
    "internal error (TypeError); please report it with the command line",
  ],
  ["nothing", undefined, 1, "internal error (undefined); please report it with the command line"],
])("%s has its exit code and one line", async (_, thrown, code, reason) => {
  expect(await explainFailure(thrown, "proxy")).toEqual({ code, reason });
});
