import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aiSdkTelemetry } from "./scenarios/ai-sdk-telemetry.ts";
import type { Stage } from "./stage.ts";
import { createWorkspace } from "./workspace.ts";

test("docs/telemetry.md shows the trace and the metrics that the scenario prints", async () => {
  const page = readFileSync(new URL("../../../docs/telemetry.md", import.meta.url), "utf8");
  const workspace = createWorkspace();
  try {
    const scene = await aiSdkTelemetry.play?.({ workspace } as Stage);
    const texts = scene?.pages?.map(({ text }) => text) ?? [];
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(page).toContain(`\`\`\`text\n${text}\n\`\`\``);
  } finally {
    workspace.remove();
  }
});
