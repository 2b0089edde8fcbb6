import { expect, test } from "vitest";
import { readCommand } from "./command-line.ts";
import { readRecording } from "./recording/recording-file.ts";
import { FEATURED, RECORDED, SCENARIOS } from "./scenarios.ts";

const names = (args: readonly string[]): readonly string[] => {
  const command = readCommand(args, SCENARIOS);
  return command.kind === "play" ? command.scenarios.map(({ name }) => name) : [];
};

test.each([
  [[], "featured"],
  [["--all"], "whole"],
  [["--", "--all"], "whole"],
  [["--json"], "json"],
  [["--all", "--json"], "json"],
])("%j plays every scenario and prints them %s", (args, output) => {
  expect(readCommand(args, SCENARIOS)).toEqual({ kind: "play", scenarios: SCENARIOS, output });
});

test("the recording has the scenarios that are recorded, and no path of a machine", () => {
  expect(readCommand(["--record"], SCENARIOS)).toEqual({ kind: "record" });
  expect(SCENARIOS).toEqual(expect.arrayContaining([...RECORDED]));
  const recording = readRecording();
  expect(recording.map(({ name }) => name)).toEqual(RECORDED.map(({ name }) => name));
  expect(JSON.stringify(recording)).not.toMatch(/file:|node_modules|\/(?:tmp|home|Users|var)\//);
});

test("one scenario is printed whole", () => {
  const args = ["--scenario", "misspelt-key"];
  expect(readCommand(args, SCENARIOS)).toMatchObject({ kind: "play", output: "whole" });
  expect(names(args)).toEqual(["misspelt-key"]);
});

test.each([[["--scenario", "nothing"]], [["--whole"]], [["misspelt-key"]]])(
  "%j is refused with a way out",
  (args) => {
    const command = readCommand(args, SCENARIOS);
    expect(command).toMatchObject({ kind: "refuse" });
    expect("text" in command && command.text).toMatch(/misspelt-key {2,}|--scenario NAME/);
  },
);

test("the featured scenarios are among those that are played, each once", () => {
  expect(new Set(FEATURED).size).toBe(FEATURED.length);
  expect(SCENARIOS).toEqual(expect.arrayContaining([...FEATURED]));
});
