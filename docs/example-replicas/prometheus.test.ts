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
    const file = join(folder, "prometheus.yml");
    const checked = spawnSync(PROMTOOL, ["check", "config", file], { encoding: "utf8" });
    expect(checked).toMatchObject({ status: 0, stderr: "" });
    expect(checked.stdout).toContain("3 rules found");
  },
);
