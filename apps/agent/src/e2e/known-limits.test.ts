import { expect, onTestFinished, test } from "vitest";
import { oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

const FILE = "work/.agent/config.yml";
const OWN = { pa: { type: "openai-compatible", base_url: "", api_key: "k12345678" } };

test.each([[[]], [["--dry-run"]]])(
  "dollars that nobody can count are an error before the first request: %j",
  async (flags) => {
    const world = await createWorld({ onTestFinished });
    const model = await world.serve([report("# Done")]);
    const providers = { pa: { ...OWN.pa, base_url: model.openaiUrl } };
    world.write(FILE, {
      session: { max_cost: 0.02 },
      providers,
      targets: [{ provider: "pa", model: "house-model-v3" }],
    });
    const ended = await world.run([...flags, "Do it"]);
    expect(ended.exitCode).toBe(4);
    expect(ended.stderr).toContain("the price of pa/house-model-v3 is unknown");
    expect(model.requests).toHaveLength(0);
  },
);

test.concurrent("a target with a price of its own has its limit in dollars", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([{ ...report("# Done"), usage: { input: 1_000, output: 100 } }]);
  world.write(FILE, {
    session: { max_cost: 5 },
    providers: { pa: { ...OWN.pa, type: "openai", base_url: model.openaiUrl } },
    targets: [{ provider: "pa", model: "house-model-v3", price: { input: 2, output: 10 } }],
  });
  const ended = await world.run(["--output", "json", "Do it"]);
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ accounting: [{ costUsd: 0.003 }, {}] });
});

test.concurrent("a wait that is too long is said, with the option", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve(() => ({
    status: 429,
    message: "busy",
    headers: { "retry-after": "1800" },
  }));
  world.write(FILE, oneTarget(model));
  const ended = await world.run(["Do it"]);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toContain(
    "it asks for 1800 s, more than max_rate_limit_wait; no attempt is left",
  );
});

test.concurrent("a body that ends in the middle is no answer", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve(() => ({ text: "Before you start, ", endAfter: 2 }));
  world.write(FILE, oneTarget(model, { session: { max_retries: 2 } }));
  const ended = await world.run(["Do it"]);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/m: .*(?:ended|interrupted)/iu);
});
