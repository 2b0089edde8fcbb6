import { expect, test } from "vitest";
import { serveGreeter } from "../testing/http-server.ts";
import { expectAccounting, resultOf, toolTexts } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld } from "../testing/world.ts";

/** The settings that each layer sets: its own, and those of the layers above it. */
const SETTINGS = [
  "temperature",
  "top_p",
  "seed",
  "max_output_tokens",
  "presence_penalty",
  "frequency_penalty",
] as const;

/** A layer that sets every setting down to its own, with its own number. */
function layer(number: number, convert = (key: string): string => key): Record<string, unknown> {
  const own = SETTINGS.slice(0, number);
  const value = (key: string): number => (key === "top_p" ? number / 10 : number);
  return {
    session: Object.fromEntries(own.map((key) => [convert(key), value(key)])),
    providers: { pa: { headers: { [`x-layer-${number}`]: "${WHO}" } } },
  };
}

const camel = (key: string): string =>
  key.replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());

test.concurrent("every layer overrides those below it, objects are merged and lists replaced, and each layer has its own variables", async (context) => {
  const world = await createWorld(context);
  const model = await world.serve([report("Done")]);
  const { base_url, ...rest } = { type: "openai-compatible", base_url: model.openaiUrl };
  const front = JSON.stringify(layer(1));
  world.write("project/notes/ask.md", `---\n${front}\n---\nSummarise the notes.\n`);
  world.write("project/conf/agent.yml", layer(2));
  world.write("project/conf/.env", "WHO=beside --config\n");
  world.write("project/.ai-agent.json", {
    ...layer(3, camel),
    targets: [{ provider: "pa", model: "small", contextWindow: 9_000 }],
  });
  world.write("project/.ai-agent.env", "WHO=.ai-agent.env\n");
  world.write("project/.env", "WHO=.env\n");
  world.write("project/notes/.agent/config.yml", layer(4));
  world.write("project/notes/.env", "WHO=beside the prompt\n");
  const program = world.install({ ".agent/config.yml": JSON.stringify(layer(5)) });
  world.write("home/.ai-agent/ai-agent.json", {
    ...layer(6),
    providers: { pa: { ...rest, baseUrl: base_url, headers: { "x-layer-6": "${WHO}" } } },
    targets: [
      { provider: "pa", model: "large" },
      { provider: "pa", model: "larger" },
    ],
  });
  world.write("home/.ai-agent/ai-agent.env", "WHO=home\n");

  const args = [program, "--config", "conf/agent.yml", "notes/ask.md", "Be", "brief."];
  const { ended } = world.startProgram(process.execPath, args, { WHO: "environment" });
  expect(await ended).toMatchObject({ exitCode: 0, stdout: "Done\n", stderr: "" });
  const [request] = model.requests;
  expect(request?.body).toMatchObject({
    model: "small",
    temperature: 1,
    top_p: 0.2,
    seed: 3,
    max_tokens: 4,
    presence_penalty: 5,
    frequency_penalty: 6,
    messages: [{ role: "user", content: "Summarise the notes.\n\nBe brief." }],
  });
  expect(request?.headers).toMatchObject({
    "x-layer-1": "beside the prompt",
    "x-layer-2": "beside --config",
    "x-layer-3": ".ai-agent.env",
    "x-layer-4": "beside the prompt",
    "x-layer-5": "environment",
    "x-layer-6": "home",
  });
});

test.concurrent("env and headers of a server are expanded for it, and parameters are left alone", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const web = await serveGreeter();
  world.onEnd(web.close);
  const model = await world.serve([calls(["greet", { name: "Ana" }]), report("Done")]);
  world.write("project/.agent/.env", "TOKEN=from the env file\n");
  world.write(
    "project/.agent/config.yml",
    oneTarget(model, {
      session: { provider_options: { pa: { user: "${parameters.user}" } } },
      mcp_servers: {
        a: { ...servers.config({ name: "a", tools: [] }), env: { SECRET: "<${TOKEN}>" } },
        web: { url: web.url, headers: { Authorization: "Bearer ${TOKEN}" } },
      },
    }),
  );
  const ended = await world.run(["--output", "json", "Greet Ana"], {
    env: { TOKEN: "from the environment" },
  });
  expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
  const result = resultOf(ended);
  expect(toolTexts(result)).toEqual(["Hello, Ana!", "ok"]);
  expectAccounting(result, "pa ok", "greet ok", "pa ok", "agent__final_report ok");
  expect(servers.eventsOf("a")).toContain("secret: <from the env file>");
  expect(new Set(web.headers.map(({ authorization }) => authorization))).toEqual(
    new Set(["Bearer from the env file"]),
  );
  expect(model.requests.map(({ body }) => body["user"])).toEqual(
    Array.from({ length: 2 }, () => "${parameters.user}"),
  );
  await servers.allEnded();
});
