import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@toolcontract/free-port";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";

afterEach(endProxies);

/** Too large for everybody's installation, so it is looked for where the report installs what is. */
const FOLDER = join(import.meta.dirname, "../../../../.artifacts/apart/otlp-receiver");
const RECEIVER = "@genkit-ai/telemetry-server";
const WHY_NOT = existsSync(join(FOLDER, "node_modules", RECEIVER))
  ? ""
  : ` (skipped without: npm install --prefix .artifacts/apart/otlp-receiver ${RECEIVER}@1.43.0)`;

/** Runs Genkit's receiver, which keeps traces in files; returns the address of its API. */
async function startReceiver(): Promise<string> {
  const port = await freePort();
  const storeRoot = mkdtempSync(join(tmpdir(), "toolcontract-traces-"));
  const program = `
    const { startTelemetryServer, LocalFileTraceStore, LocalFileLogStore } = require("${RECEIVER}");
    const roots = { storeRoot: ${JSON.stringify(storeRoot)}, indexRoot: ${JSON.stringify(storeRoot)} };
    const [traceStore, logStore] = [new LocalFileTraceStore(roots), new LocalFileLogStore(roots)];
    startTelemetryServer({ port: ${port}, traceStore, logStore });`;
  const child = spawn(process.execPath, ["-e", program], { cwd: FOLDER, stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(storeRoot, { recursive: true, force: true });
  });
  const api = `http://127.0.0.1:${port}/api`;
  const isUp = async (): Promise<boolean> =>
    fetch(`${api}/__health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { interval: 100, timeout: 20_000 }).toBe(true);
  return api;
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";

test.skipIf(!isWhole || WHY_NOT !== "")(
  `a receiver that others wrote keeps the spans as they were meant${WHY_NOT}`,
  async () => {
    const api = await startReceiver();
    const proxy = startProxy(["--otlp", `${api}/otlp`, ...script(addServer())]);
    const within = (id: number, args: object): object => {
      const call = toolCall(id, "add", args) as { params: object };
      const _meta = { traceparent: `00-${TRACE}-${PARENT}-01` };
      return { ...call, params: { ...call.params, _meta } };
    };
    proxy.send(within(1, { a: 1, b: 2 }), within(2, { a: "hunter2" }));
    await Promise.all([proxy.answer(1), proxy.answer(2)]);
    proxy.child.stdin?.end();
    expect(await proxy.exited).toBe(0);

    const kept = await (await fetch(`${api}/traces/${TRACE}`)).text();
    const { spans } = JSON.parse(kept) as {
      spans: Readonly<Record<string, { attributes: Readonly<Record<string, unknown>> }>>;
    };
    const byCall = Object.values(spans).toSorted((one, other) =>
      String(one.attributes["gen_ai.tool.call.id"]).localeCompare(
        String(other.attributes["gen_ai.tool.call.id"]),
      ),
    );
    const shared = { parentSpanId: PARENT, displayName: "execute_tool add", spanKind: "SERVER" };
    expect(byCall).toMatchObject([
      { ...shared, attributes: { "gen_ai.tool.name": "add" } },
      {
        ...shared,
        status: { code: 2 },
        attributes: {
          "gen_ai.tool.name": "add",
          "toolcontract.outcome": "rejected",
          "toolcontract.error.codes": ["VAL-002", "VAL-001"],
        },
      },
    ]);
    expect(kept).not.toContain("hunter2");
  },
  60_000,
);
