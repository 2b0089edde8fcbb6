import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@toolcontract/free-port";

/** Why tests on a real server are skipped; undefined if one is installed. */
export const WHY_NO_PROMETHEUS: string | undefined = ["prometheus", "promtool"].every(pathOf)
  ? undefined
  : "no prometheus on PATH (apt-get install prometheus): the queries of the dashboard are not asked anew";

/** A series that a query gives, as pairs of seconds and value. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly (readonly [at: number, value: number])[];
}

/** A Prometheus on loopback. */
export interface Prometheus {
  /** Evaluates a query each `step` seconds. */
  range(query: string, from: number, to: number, step: number): Promise<readonly Series[]>;
  stop(): Promise<void>;
}

/** Starts a server that holds these samples, which are OpenMetrics with times. */
export async function startPrometheus(samples: string): Promise<Prometheus> {
  const [server, tool] = [pathOf("prometheus"), pathOf("promtool")];
  if (server === undefined || tool === undefined) throw new Error(WHY_NO_PROMETHEUS);
  const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
  const file = (name: string): string => join(folder, name);
  writeFileSync(file("samples"), samples);
  writeFileSync(file("prometheus.yml"), "");
  const load = ["tsdb", "create-blocks-from", "openmetrics", file("samples"), file("data")];
  await promisify(execFile)(tool, load);
  const address = `127.0.0.1:${await freePort()}`;
  const options = {
    "config.file": file("prometheus.yml"),
    "storage.tsdb.path": file("data"),
    "storage.tsdb.retention.time": "100y",
    "web.listen-address": address,
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(server, flags, { stdio: "ignore" });
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  await untilReady(child, address);
  return {
    async range(query, from, to, step) {
      const asked = new URLSearchParams({ query, start: `${from}`, end: `${to}`, step: `${step}` });
      const response = await fetch(`http://${address}/api/v1/query_range?${asked.toString()}`);
      const answer = (await response.json()) as Answer;
      if (answer.status !== "success") throw new Error(`${query}: ${answer.error}`);
      return answer.data.result.map(({ metric, values }) => ({
        labels: metric,
        points: values.map(([at, value]) => [at, Number(value)] as const),
      }));
    },
    async stop() {
      process.off("exit", endWithUs);
      if (child.exitCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** What Prometheus answers to a query over a range. */
type Answer =
  | { readonly status: "error"; readonly error: string }
  | {
      readonly status: "success";
      readonly data: {
        readonly result: readonly {
          readonly metric: Readonly<Record<string, string>>;
          readonly values: readonly (readonly [number, string])[];
        }[];
      };
    };

async function untilReady(child: ChildProcess, address: string): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    if (response?.ok === true) return;
    await setTimeout(100);
  }
  throw new Error(`Prometheus does not start on ${address}.`);
}

function pathOf(command: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
