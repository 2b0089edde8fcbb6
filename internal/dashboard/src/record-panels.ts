import { readPanels, showPanel, type Shown } from "./panels.ts";
import { startPrometheus } from "./prometheus.ts";
import { recordTraffic } from "./traffic.ts";

/** Any full hour will do: no query asks for the time. */
const START = Date.UTC(2026, 0, 1) / 1_000;

/** What a real Prometheus answers to each panel after the scripted traffic. */
export async function recordPanels(): Promise<readonly Shown[]> {
  const server = await startPrometheus(await recordTraffic(START));
  try {
    return await Promise.all(readPanels().map((panel) => showPanel(panel, server, START)));
  } finally {
    await server.stop();
  }
}
