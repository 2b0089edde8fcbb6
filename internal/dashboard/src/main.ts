// Runs six hours of scripted traffic through a contract, asks a real Prometheus what the dashboard shows of it, and draws that:
// `pnpm dashboard:record`, with prometheus and promtool on the path.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawPlot } from "@toolcontract/plots";
import { FOLDER, readPanels } from "./panels.ts";
import { dashboardPlot } from "./plot.ts";
import { recordPanels } from "./record-panels.ts";

const shown = await recordPanels();
writeFileSync(join(FOLDER, "recorded.json"), `${JSON.stringify(shown)}\n`);
writeFileSync(join(FOLDER, "recorded.svg"), await drawPlot(dashboardPlot(readPanels(), shown)));
