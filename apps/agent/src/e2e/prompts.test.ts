import { oneInThree } from "@toolcontract/case-table/whole";
import { expect, test } from "vitest";
import { oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const PROMPTS = [
  { name: "the words of the command line", args: ["Sum", "it", "up"], prompt: "Sum it up" },
  { name: "stdin, without words", args: [], stdin: "From a pipe.\n", prompt: "From a pipe." },
  {
    name: "- is stdin, and the words after it follow",
    args: ["-", "Be", "brief."],
    stdin: "From a pipe.\n",
    prompt: "From a pipe.\n\nBe brief.",
  },
  {
    name: "a file without front matter, whose folder has a configuration",
    args: ["notes/ask.md"],
    prompt: "---- is not a front matter",
    seed: 7,
  },
  {
    name: "a file that is not there is a word, and a warning",
    args: ["nowhere.md"],
    prompt: "nowhere.md",
    stderr:
      "toolcontract-agent: There is no file nowhere.md: the words of the command line are the prompt.\n",
  },
] satisfies readonly Prompt[];

interface Prompt {
  readonly name: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly stdin?: string;
  readonly seed?: number;
  readonly stderr?: string;
}

const taken: readonly Prompt[] = oneInThree<Prompt>(PROMPTS);

test.concurrent.for(taken)("the prompt is: $name", async (row, context) => {
  const { args, stdin = "", prompt, seed, stderr = "" } = row;
  const world = await createWorld(context);
  const model = await world.serve([report("Done")]);
  world.write("project/.agent/config.yml", oneTarget(model));
  world.write("project/notes/ask.md", "---- is not a front matter\n");
  world.write("project/notes/.agent/config.yml", "session: { seed: 7 }\n");
  expect(await world.run(args, { stdin })).toEqual({ exitCode: 0, stdout: "Done\n", stderr });
  expect(model.requests.map(({ body }) => [body["messages"], body["seed"]])).toEqual([
    [[{ role: "user", content: prompt }], seed],
  ]);
});
