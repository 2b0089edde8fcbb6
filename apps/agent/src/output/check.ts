import type { SdkTarget } from "@toolcontract/ai-sdk/session";
import type { AgentConfig } from "../settings/index.ts";

/** What a run would use, as `--dry-run` prints it. */
export interface Check {
  /** The configuration files, highest precedence first. */
  readonly files: readonly string[];
  /** The models, in the order in which attempts go to them. */
  readonly targets: readonly { readonly provider: string; readonly model: string }[];
  /** How many tools each server has. */
  readonly servers: Readonly<Record<string, number>>;
  readonly queues: AgentConfig["queues"];
}

/** Collects what was found. */
export function checkOf(
  { files, queues }: Pick<AgentConfig, "files" | "queues">,
  targets: readonly SdkTarget[],
  servers: Check["servers"],
): Check {
  return {
    files: files.map(({ path }) => path),
    targets: targets.map(({ model }) =>
      typeof model === "string"
        ? { provider: "gateway", model }
        : { provider: model.provider, model: model.modelId },
    ),
    servers,
    queues,
  };
}

/** The same for people. */
export function checkText({ files, targets, servers, queues }: Check): string {
  return [
    ...section("Configuration", files),
    ...section(
      "Targets",
      targets.map(({ provider, model }) => `${provider}/${model}`),
    ),
    ...section(
      "MCP servers",
      Object.entries(servers).map(
        ([name, tools]) => `${name}: ${tools} ${tools === 1 ? "tool" : "tools"}`,
      ),
    ),
    ...section(
      "Queues",
      Object.entries(queues).map(([name, { concurrent }]) => `${name}: ${concurrent} at once`),
    ),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`${title}:`, ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`))];
}
