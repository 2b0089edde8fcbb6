import { oneInThree } from "@toolcontract/case-table/whole";
import { expect, test } from "vitest";
import type { AgentProcess } from "../testing/agent-process.ts";
import { serveSilent } from "../testing/http-server.ts";
import { expectAccounting, resultOf } from "../testing/result-of.ts";
import { calls, oneTarget, report } from "../testing/turns.ts";
import { createWorld, type World } from "../testing/world.ts";

/** A stage at which the command is interrupted. */
interface Stage {
  readonly name: string;
  /** Starts the command, and resolves when it is at this stage. */
  readonly reach: (world: World) => Promise<AgentProcess>;
  /** The entries of what was done until then. */
  readonly accounting?: readonly string[];
}

const ARGS = ["--output", "json", "Do it"];

function start(world: World, args: readonly string[] = ARGS): AgentProcess {
  const started = world.start(args);
  if (args === ARGS) started.child.stdin?.end();
  return started;
}

function configure(world: World, config: object): void {
  world.write("project/.agent/config.yml", config);
}

const STAGES: readonly Stage[] = [
  {
    name: "while it reads stdin",
    async reach(world) {
      configure(world, oneTarget(await world.serve([])));
      const started = start(world, ["--output", "json"]);
      // More than a pipe holds: it is written once somebody reads.
      await new Promise((resolve) => started.child.stdin?.write("a".repeat(1_000_000), resolve));
      return started;
    },
  },
  {
    name: "while servers start and do not answer, over stdio with a launcher between and over HTTP",
    async reach(world) {
      const { servers } = world;
      const { command, args } = servers.config({ name: "silent", tools: [], isSilent: true });
      const web = await serveSilent();
      world.onEnd(web.close);
      configure(
        world,
        oneTarget(await world.serve([]), {
          mcp_servers: {
            well: servers.config({ name: "well", tools: ["echo"] }),
            web: { url: web.url },
            silent: { command: "sh", args: ["-c", '"$@"; exit 1', "sh", command, ...args] },
          },
        }),
      );
      const started = start(world);
      await servers.until("well", "tools/list");
      await servers.until("silent", "initialize");
      await web.isAsked;
      return started;
    },
  },
  {
    name: "during a request that the model does not answer",
    async reach(world) {
      const { servers } = world;
      let asked = (): void => undefined;
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const model = await world.serve(() => {
        asked();
        return "never";
      });
      configure(
        world,
        oneTarget(model, { mcp_servers: { a: servers.config({ name: "a", tools: ["echo"] }) } }),
      );
      const started = start(world);
      await isAsked;
      return started;
    },
    accounting: ["pa failed: received SIGINT"],
  },
  {
    name: "during a call that the tool does not answer",
    async reach(world) {
      const { servers } = world;
      const model = await world.serve([calls(["hang", {}])]);
      configure(
        world,
        oneTarget(model, { mcp_servers: { a: servers.config({ name: "a", tools: ["hang"] }) } }),
      );
      const started = start(world);
      await servers.until("a", "hang");
      return started;
    },
    accounting: ["pa ok", "hang failed: received SIGINT"],
  },
  {
    name: "while it waits for a provider that limits",
    async reach(world) {
      const { servers } = world;
      const model = await world.serve(() => ({
        status: 429,
        message: "slow down",
        headers: { "retry-after": "50" },
      }));
      configure(
        world,
        oneTarget(model, { mcp_servers: { a: servers.config({ name: "a", tools: ["echo"] }) } }),
      );
      const started = start(world);
      await started.hasWritten("trying again in");
      return started;
    },
    accounting: ["pa failed: slow down"],
  },
];

test.concurrent.for(oneInThree(STAGES))(
  "Ctrl-C $name: it ends with what there is, and so do the servers",
  async ({ reach, accounting = [] }, context) => {
    const world = await createWorld(context);
    const { child, ended } = await reach(world);
    child.kill("SIGINT");
    const result = resultOf(await ended);
    expect((await ended).exitCode).toBe(1);
    expect(result).toMatchObject({ success: false, error: expect.stringContaining("SIGINT") });
    expectAccounting(result, ...accounting);
    await world.servers.allEnded();
  },
);

test.concurrent.for<{
  readonly name: string;
  readonly first: "SIGINT" | "SIGTERM";
  /** When the first signal comes. */
  readonly event: "hang" | "initialize";
  /** What is written: a run that has begun gives its result before its servers end. */
  readonly stdout: unknown;
}>([
  {
    name: "Ctrl-C twice, during a call",
    first: "SIGINT",
    event: "hang",
    stdout: expect.stringContaining('"success": false'),
  },
  {
    name: "SIGTERM and Ctrl-C, while a server starts",
    first: "SIGTERM",
    event: "initialize",
    stdout: "",
  },
])(
  "$name: it ends at once, and so do servers that do not want to",
  async ({ first, event, stdout }, context) => {
    const world = await createWorld(context);
    const { servers } = world;
    const model = await world.serve([calls(["hang", {}])]);
    const behaviour = { name: "a", tools: ["hang"], isStubborn: true };
    const a = servers.config({ ...behaviour, isSilent: event === "initialize" });
    configure(world, oneTarget(model, { mcp_servers: { a } }));
    const { child, ended } = start(world);
    await servers.until("a", event);
    child.kill(first);
    await servers.until("a", "end of input");
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ exitCode: 130, stdout });
    await servers.allEnded();
    expect(servers.eventsOf("a")).not.toContain("SIGINT");
  },
);

test.concurrent("Ctrl-C while the servers end takes nothing from a run that has its report", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const model = await world.serve([report("Done")]);
  const a = servers.config({ name: "a", tools: ["hang"], isStubborn: true });
  configure(world, oneTarget(model, { mcp_servers: { a } }));
  const { child, ended } = start(world);
  await servers.until("a", "end of input");
  child.kill("SIGINT");
  expect((await ended).exitCode).toBe(0);
  expect(resultOf(await ended).finalReport?.content).toBe("Done");
  await servers.allEnded();
});

test.concurrent("SIGTERM ends it as Ctrl-C does", async (context) => {
  const world = await createWorld(context);
  const { servers } = world;
  const model = await world.serve([calls(["hang", {}])]);
  const hanging = servers.config({ name: "a", tools: ["hang"] });
  configure(world, oneTarget(model, { mcp_servers: { a: hanging } }));
  const { child, ended } = start(world);
  await servers.until("a", "hang");
  child.kill("SIGTERM");
  expect((await ended).exitCode).toBe(1);
  expect(resultOf(await ended).error).toContain("SIGTERM");
  await servers.allEnded();
});
