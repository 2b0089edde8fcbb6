import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const { PROMTOOL = "promtool" } = process.env;
const isPresent = spawnSync(PROMTOOL, ["--version"]).error === undefined;

// Debian's package prometheus brings it.
test.skipIf(!isPresent)(
  "Prometheus reads its file and the alerts, once they are in one folder",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-prometheus-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const file of ["prometheus.yml", "../../grafana/alerts.yml"])
      copyFileSync(new URL(file, import.meta.url), join(folder, file.split("/").at(-1) ?? ""));
    const checked = spawnSync(PROMTOOL, ["check", "config", join(folder, "prometheus.yml")]);
    const said = `${checked.stdout}${checked.stderr}`;
    expect(said).toContain("3 rules found");
    expect({ said, status: checked.status }).toMatchObject({ status: 0 });
  },
);
