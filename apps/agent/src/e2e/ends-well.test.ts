import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resultOf } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "project/.agent/config.yml";
test.concurrent("a provider that stalls, another that cuts, a tool that floods: a report in the end, and every line says why", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const answers = [
    calls(["repeat", { text: "x", times: 200_000 }]),
    { text: "The first half of the ans", finishReason: "length" },
    report("The whole answer"),
  ] as const;
  let given = 0;
  const model = await world.serve(({ body }) =>
    body["model"] === "first" ? "never" : (answers[given++] ?? report("once more")),
  );
  world.write(
    FILE,
    oneTarget(model, {
      targets: [
        { provider: "pa", model: "first", request_timeout: { first_token: 300 } },
        { provider: "pa", model: "second" },
      ],
      session: { max_retries: 4 },
      mcp_servers: { a: servers.config({ name: "a", tools: ["repeat"] }) },
    }),
  );
  const ended = await world.run(["--output", "json", "Do it"]);
  const { exitCode, stderr } = ended;
  expect(exitCode).toBe(0);
  expect(stderr.split("\n")).toEqual([
    "toolcontract-agent: first: nothing of an answer came within 300 ms; trying second (2 of 4)",
    "toolcontract-agent: the result of repeat was cut from 200000 to 65536 bytes (tool_response_max_bytes)",
    "toolcontract-agent: second: the answer was cut off at its length limit; trying first (3 of 4)",
    "toolcontract-agent: first: nothing of an answer came within 300 ms; trying second (4 of 4)",
    "",
  ]);
  const { finalReport } = resultOf(ended);
  expect(finalReport).toMatchObject({
    content: "The whole answer",
    metadata: { tools: ["repeat"], truncated_results: ["repeat"] },
  });
});

test.concurrent("a report that was cut off is one, and stderr says so", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([{ text: "The first half of the ans", finishReason: "length" }]);
  world.write(FILE, oneTarget(model, { session: { max_retries: 1 } }));
  expect(await world.run(["Do it"])).toEqual({
    exitCode: 0,
    stdout: "The first half of the ans\n",
    stderr:
      "toolcontract-agent: the report is not whole: it was cut off at the length limit of an answer (max_output_tokens)\n",
  });
});

test.concurrent("--trace names what happened without values, and --output jsonl streams it", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const model = await world.serve([
    { ...calls(["echo", { text: "VALUE" }]), text: "VALUE of words" },
    report("VALUE"),
  ]);
  world.write(
    FILE,
    oneTarget(model, { mcp_servers: { a: servers.config({ name: "a", tools: ["echo"] }) } }),
  );
  const traceFile = join(world.folder, "project/trace.jsonl");
  const args = ["--output", "jsonl", "--trace", traceFile, "Do it with VALUE"];
  const { exitCode, stdout, stderr } = await world.run(args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type: string });
  const trace = readFileSync(traceFile, "utf8");
  expect(trace).not.toContain("VALUE");
  expect(trace).toContain('"command":"echo"');
  expect(lines(trace).at(-1)).toMatchObject({ type: "end", success: true });
  const events = lines(stdout);
  expect(events).toContainEqual({ type: "tool-call", tool: "echo", input: { text: "VALUE" } });
  expect(events).toContainEqual({ type: "text", text: "VALUE of words" });
  expect(events.at(-1)).toMatchObject({ type: "result", success: true });
});

test.concurrent("--verbose says in a pipe what happens, and --quiet says nothing but errors", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const script = [
    { status: 529, message: "overloaded" },
    { ...calls(["echo", { text: "a" }]), text: "I look." },
    report("Done"),
  ] as const;
  const a = servers.config({ name: "a", tools: ["echo"] });
  const runWith = async (...flags: readonly string[]) => {
    const model = await world.serve(script);
    world.write(FILE, oneTarget(model, { mcp_servers: { a } }));
    return world.run([...flags, "Do it"]);
  };
  const verbose = await runWith("--verbose");
  expect(verbose).toMatchObject({ exitCode: 0, stdout: "Done\n" });
  expect(verbose.stderr).toContain("toolcontract-agent: m: 529 overloaded; trying again (2 of 3)");
  expect(verbose.stderr).toContain("turn 1: asking the model");
  expect(verbose.stderr).toMatch(/^echo\(\{"text":"a"\}\) \d+\.\d s \d+ characters$/mu);
  expect(verbose.stderr).toContain("I look.");
  expect(verbose.stderr).toMatch(/^pa\/m \d+\.\d s \d+ \+ \d+ tokens$/mu);
  expect(await runWith("--quiet")).toEqual({ exitCode: 0, stdout: "Done\n", stderr: "" });
});

test.concurrent("what is piped in follows the words", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([report("Done")]);
  world.write(FILE, oneTarget(model));
  const ended = await world.run(["--output", "json", "Review", "this"], { stdin: "diff --git\n" });
  expect(resultOf(ended).conversation[0]).toEqual({
    role: "user",
    content: "Review this\n\ndiff --git",
  });
});

test.concurrent("a variable of a server's env that is set nowhere is a wrong configuration", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([]);
  const a = world.servers.config({ name: "a", tools: [] });
  world.write(
    FILE,
    oneTarget(model, { mcp_servers: { a: { ...a, env: { TOKEN: "${NOT_SET}" } } } }),
  );
  const { exitCode, stderr } = await world.run(["Do it"]);
  expect(exitCode).toBe(4);
  expect(stderr).toContain("Variable 'NOT_SET' is not set");
  expect(stderr).toContain("/mcp_servers/a/env/TOKEN");
});
